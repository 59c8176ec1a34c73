/** The calibration page: corners of the drawing are dragged onto the picture; the server solves the camera. */

import { clamp, svg } from "./format.js";

const table = document.body.dataset.table;
const address = `/api/calibrate/${encodeURIComponent(table ?? "")}`;
const find = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const board = find("board");
const loupe = find("loupe");
const picture = new Image();

/** @typedef {{corner: string, px: [number, number]}} Point */
/** @type {{points: Point[], fit: any, picked: string | null, width: number, height: number, asked: number}} */
const state = { points: [], fit: null, picked: null, width: 1, height: 1, asked: 0 };
/** @type {{corner: string, offset: [number, number], moved: boolean} | null} */
let drag = null;

const image = svg("image", { x: 0, y: 0 });
const lines = svg("g", { class: "lines" });
const handles = svg("g", { class: "handles" });

/** @param {string} path @param {unknown} [body] */
async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  };
  const answer = await fetch(address + path, options);
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.detail ?? "The server refused.");
  return told;
}

const pointOf = (/** @type {string} */ corner) => state.points.find((point) => point.corner === corner);
const offBy = (/** @type {string} */ corner) =>
  state.fit?.residuals.find((/** @type {any} */ rest) => rest.corner === corner);
const tone = (/** @type {any} */ rest) => !rest ? "" : rest.mm === null || rest.mm > 4 ? "bad" : rest.mm > 1.5 ? "fair" : "fine";
const inMm = (/** @type {any} */ rest) => !rest ? "" : rest.mm === null ? "?" : rest.mm.toFixed(1);

/** Picture pixels for one pixel of the screen. */
function scale() {
  const box = board.getBoundingClientRect();
  return Math.max(state.width / Math.max(1, box.width), state.height / Math.max(1, box.height));
}

/** @param {PointerEvent} event @returns {[number, number]} */
function place(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
  return [at.x, at.y];
}

function draw() {
  const unit = scale();
  lines.replaceChildren(...state.fit.outlines.map((/** @type {[number, number][]} */ chain) => svg("polyline", {
    points: chain.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "), "stroke-width": 1.5 * unit,
  })));
  lines.setAttribute("class", state.fit.solved ? "lines solved" : "lines");
  const free = state.fit.corners.filter((/** @type {any} */ corner) => !pointOf(corner.name));
  handles.replaceChildren(
    ...free.map((/** @type {any} */ corner) => handle(corner.name, corner.px, unit, false)),
    ...state.points.map((point) => handle(point.corner, point.px, unit, true)),
  );
}

/** @param {string} name @param {[number, number]} px @param {number} unit @param {boolean} placed */
function handle(name, [x, y], unit, placed) {
  const rest = placed ? offBy(name) : null;
  const group = svg("g", {
    class: `handle ${placed ? "placed" : "free"} ${tone(rest)} ${state.picked === name ? "picked" : ""}`,
    transform: `translate(${x} ${y}) scale(${unit})`, "data-corner": name,
  });
  group.append(svg("title", {}, name));
  group.append(svg("circle", { class: "grip", r: 9 }));
  if (placed) group.append(svg("path", { d: "M-9 0H-2M2 0H9M0-9V-2M0 2V9" }), svg("circle", { class: "ring", r: 9 }));
  else group.append(svg("circle", { class: "dot", r: 3.5 }));
  if (placed && rest) group.append(svg("text", { x: 11, y: -7 }, inMm(rest)));
  return group;
}

function tell() {
  const { fit, points } = state;
  find("score").textContent = fit.solved ? `${fit.rms_mm.toFixed(2)} mm` : `${points.length} of 4 points`;
  if (!fit.solved && points.length >= 4) find("score").textContent = "These points do not fit";
  find("score").className = !fit.solved ? (points.length >= 4 ? "bad" : "") : fit.good ? "fine" : fit.rms_mm > 4 ? "bad" : "fair";
  find("open").textContent = fit.solved
    ? `residual of ${points.length} points; they leave ${fit.open_mm.toFixed(1)} mm open at the worst spot` : "";
  find("says").replaceChildren(...fit.says.map((/** @type {string} */ sentence) => {
    const item = document.createElement("li");
    item.textContent = sentence;
    return item;
  }));
  const off = (/** @type {Point} */ point) => offBy(point.corner)?.px ?? 0;
  const sorted = fit.solved ? [...points].sort((a, b) => off(b) - off(a)) : points;
  find("points").replaceChildren(...sorted.map(row));
  find("save").disabled = !fit.solved;
}

/** @param {Point} point */
function row(point) {
  const rest = offBy(point.corner);
  const line = document.createElement("tr");
  line.className = `${tone(rest)} ${state.picked === point.corner ? "picked" : ""}`;
  line.dataset.corner = point.corner;
  const name = document.createElement("th");
  name.scope = "row";
  const pick = document.createElement("button");
  pick.className = "quiet";
  pick.type = "button";
  pick.textContent = point.corner;
  pick.addEventListener("click", () => choose(point.corner));
  name.append(pick);
  const cells = [inMm(rest), rest ? rest.px.toFixed(1) : ""].map((text) => {
    const cell = document.createElement("td");
    cell.className = "number";
    cell.textContent = text;
    return cell;
  });
  const last = document.createElement("td");
  const remove = document.createElement("button");
  remove.className = "quiet";
  remove.type = "button";
  remove.textContent = "×";
  remove.setAttribute("aria-label", `Take away ${point.corner}`);
  remove.addEventListener("click", () => take(point.corner));
  last.append(remove);
  line.append(name, ...cells, last);
  return line;
}

function show() {
  draw();
  tell();
}

/** @param {string | null} corner */
function choose(corner) {
  state.picked = corner;
  show();
}

/** @param {string} corner @param {[number, number]} px */
function put(corner, px) {
  /** @type {[number, number]} */
  const at = [clamp(px[0], 0, state.width), clamp(px[1], 0, state.height)];
  const point = pointOf(corner);
  if (point) point.px = at;
  else state.points.push({ corner, px: at });
  state.picked = corner;
}

/** @param {string} corner */
function take(corner) {
  state.points = state.points.filter((point) => point.corner !== corner);
  state.picked = null;
  void solve();
}

/** Asks the server how the drawing lies now; only the last answer counts. */
async function solve() {
  const asked = ++state.asked;
  find("saved").textContent = "";
  document.body.dataset.busy = "yes";
  try {
    const fit = await ask("/fit", { points: state.points });
    if (asked !== state.asked) return;
    state.fit = fit;
  } catch (error) {
    if (asked !== state.asked) return;
    state.fit = { ...state.fit, solved: false, good: false, residuals: [], says: [String(/** @type {Error} */ (error).message)] };
  }
  document.body.dataset.busy = "no";
  show();
}

/** The picture about a place, enlarged, so that a corner is met to a part of a pixel.
 * @param {[number, number]} px @param {PointerEvent} event */
function enlarge(px, event) {
  const zoom = 5 / Math.max(0.5, scale());
  const side = loupe.width;
  const context = loupe.getContext("2d");
  context.imageSmoothingEnabled = true;
  context.fillStyle = "#000";
  context.fillRect(0, 0, side, side);
  const reach = side / zoom;
  context.drawImage(picture, px[0] - reach / 2, px[1] - reach / 2, reach, reach, 0, 0, side, side);
  context.strokeStyle = "#f2c14e";
  context.beginPath();
  for (const [a, b] of [[0, side * 0.44], [side * 0.56, side]]) {
    context.moveTo(a, side / 2);
    context.lineTo(b, side / 2);
    context.moveTo(side / 2, a);
    context.lineTo(side / 2, b);
  }
  context.stroke();
  const box = board.parentElement.getBoundingClientRect();
  const left = event.clientX - box.left > side + 60 ? event.clientX - box.left - side - 30 : event.clientX - box.left + 30;
  loupe.style.left = `${left}px`;
  loupe.style.top = `${clamp(event.clientY - box.top - side - 20, 0, Math.max(0, box.height - side))}px`;
  loupe.hidden = false;
}

board.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
  const taken = /** @type {Element} */ (event.target).closest(".handle");
  if (!taken || event.button !== 0) return;
  event.preventDefault();
  const corner = /** @type {any} */ (taken).dataset.corner;
  const from = pointOf(corner)?.px ?? state.fit.corners.find((/** @type {any} */ each) => each.name === corner).px;
  const [x, y] = place(event);
  drag = { corner, offset: [from[0] - x, from[1] - y], moved: false };
  board.setPointerCapture(event.pointerId);
  enlarge(from, event);
});
board.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
  if (!drag) return;
  const [x, y] = place(event);
  drag.moved = true;
  put(drag.corner, [x + drag.offset[0], y + drag.offset[1]]);
  draw();
  enlarge(/** @type {Point} */ (pointOf(drag.corner)).px, event);
});
for (const end of ["pointerup", "pointercancel"]) board.addEventListener(end, () => {
  if (!drag) return;
  const { corner, moved } = drag;
  drag = null;
  loupe.hidden = true;
  if (moved) void solve();
  else choose(pointOf(corner) ? corner : null);
});
document.addEventListener("keydown", (event) => {
  const point = state.picked === null ? undefined : pointOf(state.picked);
  if (!point || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Delete") { take(point.corner); return; }
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const way = /** @type {any} */ (ways)[event.key];
  if (!way) return;
  event.preventDefault();
  const step = event.shiftKey ? 5 : 0.25;
  put(point.corner, [point.px[0] + way[0] * step, point.px[1] + way[1] * step]);
  void solve();
});
find("again").addEventListener("click", () => {
  state.points = [];
  state.picked = null;
  void solve();
});
find("save").addEventListener("click", async () => {
  const saved = find("saved");
  try {
    saved.className = "fine";
    saved.textContent = (await ask("/points", { points: state.points })).says;
  } catch (error) {
    saved.className = "bad";
    saved.textContent = String(/** @type {Error} */ (error).message);
  }
});
window.addEventListener("resize", () => { if (state.fit) draw(); });

picture.src = `${address}/still.jpg`;
const begin = await ask("");
await picture.decode();
Object.assign(state, { points: begin.points, fit: begin.fit, width: begin.width_px, height: begin.height_px });
board.setAttribute("viewBox", `0 0 ${state.width} ${state.height}`);
for (const [key, value] of [["href", picture.src], ["width", state.width], ["height", state.height]]) image.setAttribute(String(key), String(value));
board.replaceChildren(image, lines, handles);
show();
document.body.dataset.ready = "yes";
