/** The live page: what the server tells as it happens, and the picture of the camera that is chosen. */

import { clocks } from "./format.js";
import { Overlay } from "./overlay.js";

const PICTURE_EVERY_MS = 200;
const SILENT_MS = 4000;
const AGAIN_MS = 2000;
const MOST_ALERTS = 200;

const find = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const address = `/live/${encodeURIComponent(document.body.dataset.table ?? "")}`;
const title = document.title;

/** @type {{chosen: number, table: any, shapes: any[] | null, t: number, scene: any, overlay: Overlay | null, verdict: string, heard: number, refused: string, unseen: number}} */
const state = { chosen: 0, table: null, shapes: null, t: 0, scene: null, overlay: null, verdict: "", heard: Date.now(), refused: "", unseen: 0 };

// the picture ------------------------------------------------------------------------------------------------

/** Another picture as soon as there is one, a few times a second; none while nobody looks. */
async function picture() {
  const begun = Date.now();
  const chosen = state.chosen;
  if (!document.hidden) {
    try {
      const next = new Image();
      next.src = `${address}/cameras/${chosen}.jpg?${begun}`;
      await next.decode();
      if (chosen === state.chosen) {
        find("picture").src = next.src;
        find("picture").hidden = false;
        find("no-picture").hidden = true;
        document.body.dataset.pictured = "yes";
      }
    } catch {
      // none yet, or the server is gone: that is said elsewhere
    }
  }
  setTimeout(picture, Math.max(20, PICTURE_EVERY_MS - (Date.now() - begun)));
}

async function scene() {
  const answer = await fetch(`${address}/scene`);
  if (!answer.ok) return;
  state.scene = await answer.json();
  choose(state.chosen);
}

/** Show a camera. @param {number} number */
function choose(number) {
  state.chosen = number;
  const own = state.scene?.cameras[number];
  state.overlay = own ? new Overlay(find("overlay"), { ...own, marks: [], shifts: [] }) : null;
  for (const [field, id] of [["zones", "show-zones"], ["places", "show-places"], ["seen", "show-seen"]]) {
    if (state.overlay) /** @type {any} */ (state.overlay)[field] = find(id).checked;
  }
  for (const button of find("choose").children) button.setAttribute("aria-pressed", String(Number(button.dataset.camera) === number));
  draw();
}

function draw() {
  if (!state.overlay) return;
  Object.assign(state.overlay.scene, state.shapes?.[state.chosen] ?? {});
  state.overlay.drawn = ""; // a label may have changed where no shape did
  state.overlay.at(state.t);
}

// what is told -----------------------------------------------------------------------------------------------

/** @param {any} told */
function tell(told) {
  state.table = told.table;
  state.t = told.t;
  if (told.shapes) state.shapes = told.shapes;
  if (told.now_html !== null) {
    find("now").innerHTML = told.now_html;
  }
  find("health").innerHTML = told.cameras_html;
  clocks(find("health"));
  for (const name of ["coups", "breaches", "undetermined"]) find(name).textContent = told.table[name];
  find("behind").textContent = told.table.mood === "over" ? "–" : `${told.table.behind_s.toFixed(1)} s`;
  find("breach-word").textContent = told.table.breaches === 1 ? "breach" : "breaches";
  filter();
  find("review").hidden = told.table.review === null;
  find("earlier").hidden = told.table.review === null;
  if (told.table.review !== null) {
    for (const link of [find("review"), find("earlier").firstElementChild]) link.href = `/reviews/${told.table.review}`;
  }
  if (told.drawn > (state.scene?.cameras.length ?? 0)) void scene();
  else draw();
  tabs(told.table.cameras);
  mood();
  document.body.dataset.ready = "yes";
}

/** @param {any[]} cameras */
function tabs(cameras) {
  const box = find("choose");
  if (box.children.length === cameras.length || cameras.length < 2) return;
  box.replaceChildren(...cameras.map((camera, number) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = camera.id;
    button.dataset.camera = String(number);
    button.addEventListener("click", () => choose(number));
    return button;
  }));
  choose(state.chosen);
}

/** @param {string} id a camera's name */
const named = (id) => (/^cam/i.test(id) ? id.replace(/^./, (first) => first.toUpperCase()) : `Camera ${id}`);

/** Say how all is, above all that something is gone, and since when. */
function mood() {
  const now = Date.now();
  const { table } = state;
  let [word, tone, banner] = ["Live", "well", ""];
  const at = (/** @type {string | number} */ time) => new Date(time).toLocaleTimeString("sv");
  if (state.refused) {
    [word, tone, banner] = ["Refused", "gone", state.refused];
  } else if (now - state.heard > SILENT_MS) {
    [word, tone] = ["No answer", "gone"];
    banner = `veedor serve has not answered since ${at(state.heard)}: nothing on this page is of now. Start it again; the watch may still go on.`;
  } else if (table) {
    tone = table.mood;
    word = { well: table.played ? "Played" : "Live", trouble: "Trouble", gone: table.gone_since ? "Watch gone" : "Not seen", over: "Ended" }[/** @type {string} */ (table.mood)] ?? "";
    const camera = table.cameras[state.chosen];
    if (table.gone_since) banner = `The watch has been gone since ${at(table.gone_since)}: nothing is seen and nothing is judged. Start veedor watch again.`;
    else if (table.mood === "over") banner = `The watch ended at ${at(table.at)}.${table.review === null ? "" : " What it saw is kept as a review."}`;
    else if (camera?.mood === "gone") banner = `${named(camera.id)} has been lost since ${at(camera.since)}: ${camera.says}`;
    else if (table.mood !== "well") banner = table.says;
  }
  find("mood").className = `mood ${tone}`;
  find("mood-word").textContent = word;
  find("banner").className = `banner ${tone}`;
  find("banner").textContent = banner;
  find("banner").hidden = banner === "";
  const stale = tone === "gone" || tone === "over" || table?.cameras[state.chosen]?.mood === "gone";
  find("screen").classList.toggle("stale", stale);
  find("clock").textContent = new Date(now).toLocaleTimeString("sv");
}

/** @param {any[]} alerts */
function alerts(alerts) {
  const list = find("alerts");
  for (const alert of alerts) {
    let item = /** @type {HTMLElement | undefined} */ ([...list.children].find((/** @type {any} */ each) => each.dataset.id === alert.id));
    if (!item) {
      item = document.createElement("li");
      item.dataset.id = alert.id;
      list.prepend(item);
      if (alert.verdict === "BREACH" && document.hidden) state.unseen += 1;
    }
    item.dataset.verdict = alert.verdict;
    item.className = `alert ${alert.verdict.toLowerCase()}${alert.standing ? "" : " gone"}`;
    item.innerHTML = alert.html;
    clocks(item);
  }
  while (list.children.length > MOST_ALERTS) list.lastElementChild?.remove();
  filter();
  count();
}

function filter() {
  for (const item of /** @type {HTMLElement[]} */ ([...find("alerts").children])) item.hidden = state.verdict !== "" && item.dataset.verdict !== state.verdict;
  // alerts that were put away with a review are not none
  find("quiet").hidden = find("alerts").children.length > 0 || state.table === null || state.table.breaches + state.table.undetermined > 0;
}

function count() {
  document.title = state.unseen ? `(${state.unseen}) ${title}` : title;
}

/** Be told what happens; where the server refuses that, say why, and ask again. */
function listen() {
  const source = new EventSource(`${address}/events`);
  source.addEventListener("state", (event) => {
    state.heard = Date.now();
    state.refused = "";
    tell(JSON.parse(event.data));
  });
  source.addEventListener("alerts", (event) => alerts(JSON.parse(event.data)));
  source.addEventListener("error", async () => {
    if (source.readyState !== EventSource.CLOSED) return; // it asks again by itself
    state.refused = await refusal();
    setTimeout(listen, AGAIN_MS);
  });
}

/** Why nothing is told, a sentence; empty if it is not known. */
async function refusal() {
  const asked = new AbortController();
  try {
    const answer = await fetch(`${address}/events`, { headers: { accept: "application/json" }, signal: asked.signal });
    return answer.ok ? "" : (await answer.json()).detail;
  } catch {
    return "";
  } finally {
    asked.abort();
  }
}

for (const button of /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-verdict]")])) {
  button.addEventListener("click", () => {
    state.verdict = button.dataset.verdict ?? "";
    for (const other of document.querySelectorAll(".segmented [data-verdict]")) other.setAttribute("aria-pressed", String(other === button));
    filter();
  });
}
for (const id of ["show-zones", "show-places", "show-seen"]) find(id).addEventListener("change", () => choose(state.chosen));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  state.unseen = 0;
  count();
});
listen();
setInterval(mood, 500);
void picture();
