/** What is drawn over the picture: zones, what was seen at this moment, and the evidence of the finding. */

import { clamp, svg } from "./format.js";

/** @param {[number, number][]} points */
const path = (points) => points.map(([x, y]) => `${x},${y}`).join(" ");

/** @param {[number, number][]} points */
function centre(points) {
  const sum = points.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  return [sum[0] / points.length, sum[1] / points.length];
}

/** @param {[number, number][]} points */
const top = (points) => Math.min(...points.map(([, y]) => y));

/** How a bet lies, as short as can be: nothing is said of one that lies in its box. @param {any} place */
const word = (place) => ({ inside: "whole", half_line: "½", splitting_line: "split", outside: "out" })[/** @type {string} */ (place.lies)] ?? "?";

/** @param {any} lying */
function tag(lying) {
  if (lying.lies === "inside") return "";
  if (lying.lies !== "unsure") return { half_line: "½ line", splitting_line: "split line", outside: "outside" }[/** @type {string} */ (lying.lies)] ?? "";
  return lying.places.map((/** @type {any} */ place) => `${word(place)} ${Math.round(100 * place.p)} %`).join(" · ");
}

/**
 * Where points show since the camera was moved.
 * @param {any} shift or undefined @param {any} scene @returns {(points: [number, number][]) => [number, number][]}
 */
function placing(shift, scene) {
  if (!shift) return (points) => points;
  const across = shift.columns - 1;
  const down = shift.rows - 1;
  return (points) => points.map(([x, y]) => {
    const left = (x * across) / scene.width_px;
    const over = (y * down) / scene.height_px;
    const column = clamp(Math.floor(left), 0, across - 1);
    const row = clamp(Math.floor(over), 0, down - 1);
    const [u, v] = [left - column, over - row];
    const at = row * shift.columns + column;
    const [a, b, c, d] = [at, at + 1, at + shift.columns, at + shift.columns + 1].map((k) => shift.points[k]);
    const between = (/** @type {0 | 1} */ k) => (1 - v) * ((1 - u) * a[k] + u * b[k]) + v * ((1 - u) * c[k] + u * d[k]);
    return [between(0), between(1)];
  });
}

export class Overlay {
  /** @param {SVGSVGElement} root @param {any} scene */
  constructor(root, scene) {
    this.root = root;
    this.scene = scene;
    this.zones = true;
    this.places = true;
    this.seen = true;
    /** @type {any} */
    this.finding = null;
    this.t = 0;
    this.drawn = "";
    this.where = placing(undefined, scene);
    root.setAttribute("viewBox", `0 0 ${scene.width_px} ${scene.height_px}`);
    root.setAttribute("preserveAspectRatio", "xMidYMid meet");
    this.size = scene.width_px / 72; // of letters: legible at half size
  }

  /** @param {any} finding or null */
  show(finding) {
    this.finding = finding;
    this.at(this.t);
  }

  /** @param {number} t seconds */
  at(t) {
    this.t = t;
    const marks = this.#visible(t);
    const shift = this.scene.shifts.findLast((/** @type {any} */ each) => each.t <= t);
    const key = JSON.stringify([
      shift?.t, this.zones, this.places, this.seen, this.finding?.id,
      marks.map((/** @type {any} */ mark) => [mark.seq, mark.outline[0]]),
    ]);
    if (key === this.drawn) return; // the same shapes as in the picture before
    this.drawn = key;
    this.where = placing(shift, this.scene);
    const layer = svg("g", { class: this.finding?.verdict.toLowerCase() ?? "" });
    for (const zone of this.scene.zones) this.#zone(layer, zone);
    if (this.zones) for (const line of this.scene.lines) this.#line(layer, line);
    if (this.places) for (const mark of marks) this.#place(layer, mark);
    for (const mark of marks) this.#mark(layer, mark);
    this.root.replaceChildren(layer);
  }

  /** @param {any} mark */
  #isEvidence(mark) {
    return this.finding?.events.includes(mark.seq) ?? false;
  }

  /** The marks to draw at a time. @param {number} t @returns {any[]} */
  #visible(t) {
    const begun = this.scene.marks.filter((/** @type {any} */ mark) => mark.t_from <= t + 0.05);
    const now = begun.filter((/** @type {any} */ mark) => t < mark.t_to
      && (this.seen || this.#isEvidence(mark) || (this.places && mark.lying)));
    const things = new Set(now.map((/** @type {any} */ mark) => mark.thing));
    // Evidence shows through the finding's whole moment: chips or cards now gone are what it may be about.
    const gone = begun.filter((/** @type {any} */ mark) => t >= mark.t_to && this.#isEvidence(mark)
      && t <= this.finding.t_to + 1 && !(mark.thing !== null && things.has(mark.thing)));
    return [...gone, ...now];
  }

  /** @param {Element} layer @param {any} zone */
  #zone(layer, zone) {
    const concerned = this.finding?.spot === zone.spot;
    if (!this.zones && !concerned) return;
    const outline = this.where(zone.outline);
    layer.append(svg("polygon", { class: concerned ? "zone concerned" : "zone", points: path(outline) }));
    if (!concerned) return;
    const [x] = centre(outline);
    const y = Math.max(this.size, top(outline) - this.size * 0.8);
    layer.append(svg("text", { class: "spot", x, y, "font-size": this.size }, zone.spot));
  }

  /** A line that halves or splits bets. @param {Element} layer @param {any} line */
  #line(layer, line) {
    const used = this.places && this.scene.marks.some((/** @type {any} */ mark) => mark.t_from <= this.t + 0.05
      && this.t < mark.t_to && mark.lying?.places.some((/** @type {any} */ place) => place.line === line.id));
    for (const piece of line.paths) {
      layer.append(svg("polyline", { class: `acts ${line.effect}${used ? " used" : ""}`, points: path(this.where(piece)) }));
    }
  }

  /** Where a bet lies: its base, and the ring within which that lies surely. @param {Element} layer @param {any} mark */
  #place(layer, mark) {
    if (!mark.lying || !mark.base.length) return;
    if (mark.doubt.length) layer.append(svg("polygon", { class: `doubt ${mark.lying.lies}`, points: path(this.where(mark.doubt)) }));
    layer.append(svg("polygon", { class: `base ${mark.lying.lies}`, points: path(this.where(mark.base)) }));
  }

  /** @param {Element} layer @param {any} mark */
  #mark(layer, mark) {
    const evidence = this.#isEvidence(mark);
    const outline = this.where(mark.outline);
    if (this.seen || evidence) {
      layer.append(svg("polygon", { class: evidence ? "mark evidence" : "mark", points: path(outline) }));
    }
    const [x, y] = centre(outline);
    const size = this.size * (evidence ? 1.05 : 0.85);
    const shapes = this.places && mark.base.length ? [...outline, ...this.where(mark.base)] : outline;
    const under = Math.max(...shapes.map((/** @type {any} */ p) => p[1])) + this.size * 0.7;
    const below = mark.shape === "box" ? y : under; // what was seen is not covered by its own name
    if (mark.label) layer.append(svg("text", { x, y: below, "font-size": size }, mark.label));
    const place = this.places && mark.lying ? tag(mark.lying) : "";
    if (place) {
      const text = svg("text", { class: `lies ${mark.lying.lies}`, x, y: below + (mark.label ? size * 1.1 : 0), "font-size": size });
      text.textContent = place;
      layer.append(text);
    }
  }
}
