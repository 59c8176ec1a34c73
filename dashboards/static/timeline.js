/** The timeline: one row a lane, zoom and pan over time, click to go there. */

import { clamp, clock, svg } from "./format.js";

const LEFT = 96; // for the lanes' names, pixels
const ROW = 17;
const RULER = 18;
const SHORTEST_S = 2; // the closest zoom
const STEPS_S = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600];

export class Timeline {
  /** @param {HTMLElement} host @param {any} scene
   *  @param {{seek: (t: number) => void, pick: (id: string) => void, view: () => void}} does */
  constructor(host, scene, does) {
    this.host = host;
    this.scene = scene;
    this.does = does;
    this.from = 0;
    this.to = scene.duration_s;
    this.t = 0;
    this.picked = "";
    this.hover = document.getElementById("hover");
    this.root = svg("svg", { role: "img", "aria-label": "Timeline of what was seen" });
    host.replaceChildren(this.root);
    new ResizeObserver(() => this.draw()).observe(host);
    this.#wire();
  }

  get width() {
    return Math.max(200, this.host.clientWidth);
  }

  /** @param {number} t */
  x(t) {
    return LEFT + ((t - this.from) / (this.to - this.from)) * (this.width - LEFT - 8);
  }

  /** @param {number} x */
  timeAt(x) {
    return this.from + ((x - LEFT) / (this.width - LEFT - 8)) * (this.to - this.from);
  }

  /** Show a span. @param {number} from @param {number} to */
  show(from, to) {
    const length = clamp(to - from, Math.min(SHORTEST_S, this.scene.duration_s), this.scene.duration_s);
    this.from = clamp(from, 0, this.scene.duration_s - length);
    this.to = this.from + length;
    this.draw();
    this.does.view();
  }

  /** @param {number} factor below 1: closer @param {number} [about] the time that stays where it is */
  zoom(factor, about = this.from <= this.t && this.t <= this.to ? this.t : (this.from + this.to) / 2) {
    const length = (this.to - this.from) * factor;
    const share = (about - this.from) / (this.to - this.from);
    const kept = clamp(length, Math.min(SHORTEST_S, this.scene.duration_s), this.scene.duration_s);
    this.show(about - share * kept, about - share * kept + kept);
  }

  /** The time now. @param {number} t */
  at(t) {
    this.t = t;
    if (this.to - this.from < this.scene.duration_s && (t > this.to || t < this.from)) {
      const length = this.to - this.from;
      this.show(t - length * 0.1, t + length * 0.9);
    }
    this.#movePlayhead();
  }

  /** @param {string} id of the finding picked */
  pick(id) {
    this.picked = id;
    const finding = this.scene.findings.find((/** @type {any} */ f) => f.id === id);
    if (finding && (finding.t_to < this.from || finding.t_from > this.to)) {
      const half = (this.to - this.from) / 2;
      this.show(finding.t - half, finding.t + half);
    } else this.draw();
  }

  draw() {
    const lanes = this.scene.lanes;
    const rows = lanes.length + 2;
    const height = RULER + rows * ROW + 4;
    this.root.setAttribute("viewBox", `0 0 ${this.width} ${height}`);
    this.root.setAttribute("height", String(height));
    const back = svg("g");
    const body = svg("g", { "clip-path": "url(#lane-clip)" });
    const clip = svg("clipPath", { id: "lane-clip" });
    clip.append(svg("rect", { x: LEFT - 7, y: 0, width: this.width - LEFT + 7, height }));
    for (let row = 0; row < rows; row += 1) {
      back.append(svg("rect", { class: row % 2 ? "row odd" : "row", x: LEFT, y: RULER + row * ROW, width: this.width - LEFT, height: ROW }));
    }
    this.#ruler(back, height);
    this.#name(back, 0, "Findings");
    this.#name(back, 1, "Coups");
    lanes.forEach((/** @type {any} */ lane, /** @type {number} */ row) => this.#name(back, row + 2, lane.name));
    this.#coups(body);
    lanes.forEach((/** @type {any} */ lane, /** @type {number} */ row) => this.#lane(body, lane, row + 2));
    this.#findings(body, height);
    this.head = svg("line", { class: "playhead", y1: 0, y2: height });
    this.grip = svg("path", { class: "playhead-head" });
    body.append(this.head, this.grip);
    this.root.replaceChildren(clip, back, body);
    this.#movePlayhead();
  }

  #movePlayhead() {
    if (!this.head || !this.grip) return;
    const x = this.x(this.t);
    this.head.setAttribute("x1", String(x));
    this.head.setAttribute("x2", String(x));
    this.grip.setAttribute("d", `M${x - 5} 0h10l-5 7Z`);
  }

  /** @param {number} row */
  #y(row) {
    return RULER + row * ROW;
  }

  /** @param {Element} layer @param {number} row @param {string} text */
  #name(layer, row, text) {
    layer.append(svg("text", { class: "name", x: LEFT - 8, y: this.#y(row) + ROW / 2 }, text));
  }

  /** @param {Element} layer @param {number} height */
  #ruler(layer, height) {
    const least = ((this.to - this.from) / (this.width - LEFT)) * 64;
    const step = STEPS_S.find((candidate) => candidate >= least) ?? 3600;
    for (let t = Math.ceil(this.from / step) * step; t <= this.to + 1e-6; t += step) {
      const x = this.x(t);
      layer.append(svg("line", { class: "tick-line", x1: x, x2: x, y1: RULER - 5, y2: height }));
      const label = step >= 1 ? clock(t).replace(/\.0$/, "") : clock(t);
      layer.append(svg("text", { x: x + 3, y: RULER / 2 }, label));
    }
  }

  /** @param {number} from @param {number} to */
  #inView(from, to) {
    return to >= this.from && from <= this.to;
  }

  /** @param {Element} layer */
  #coups(layer) {
    const y = this.#y(1);
    for (const coup of this.scene.coups) {
      if (!this.#inView(coup.t_from, coup.t_to)) continue;
      const x = this.x(coup.t_from);
      const width = Math.max(2, this.x(coup.t_to) - x);
      const tone = coup.verdict === "BREACH" ? "coup-band breach" : "coup-band";
      const band = this.#item(layer, coup.t_from, `Coup ${coup.coup}, ${clock(coup.t_from)} to ${clock(coup.t_to)}: ${coup.verdict.toLowerCase()}`);
      band.append(svg("rect", { class: tone, x, y: y + 1, width, height: ROW - 2, rx: 3 }));
      if (width > 18) band.append(svg("text", { class: "coup-name", x: Math.max(x, LEFT) + 5, y: y + ROW / 2 }, width > 60 ? `Coup ${coup.coup}` : String(coup.coup)));
    }
  }

  /** A group that tells what it is and goes there. @param {Element} layer @param {number} t @param {string} detail */
  #item(layer, t, detail) {
    const group = svg("g", { class: "item", "data-t": t, "data-detail": detail });
    layer.append(group);
    return group;
  }

  /** @param {Element} layer @param {any} lane @param {number} row */
  #lane(layer, lane, row) {
    const y = this.#y(row);
    let free = -Infinity; // where the last label ended: labels never lie on one another
    const shown = lane.items.filter((/** @type {any} */ item) => this.#inView(item.t, item.t_to ?? item.t));
    const room = (this.width - LEFT) / Math.max(1, shown.length); // pixels for each: too little, and none is named
    for (const item of shown) {
      const end = item.t_to ?? item.t;
      const x = this.x(item.t);
      const group = this.#item(layer, item.t, `${clock(item.t)}  ${item.detail}`);
      if (item.tone === "card" || item.tone === "red-card") {
        if (x - 13 > free && room > 11) {
          group.append(svg("rect", { class: "card-face", x: x - 12, y: y + 1, width: 24, height: ROW - 2, rx: 2 }));
          group.append(svg("text", { class: item.tone === "red-card" ? "card-name red" : "card-name", x, y: y + ROW / 2 }, item.label));
          free = x + 13;
        } else group.append(svg("rect", { class: "card-face", x: x - 1.5, y: y + 2, width: 3, height: ROW - 4 }));
        continue;
      }
      const width = item.t_to === null ? 2 : Math.max(3, this.x(end) - x);
      const tall = item.tone === "tick" ? 7 : ROW - 4;
      group.append(svg("rect", { class: `bar-${item.tone}`, x, y: y + (ROW - tall) / 2, width, height: tall, rx: width > 4 ? 2 : 0 }));
      const wide = item.label.length * 6.2 + 6;
      const fits = item.tone === "cue" ? room > wide : width >= wide;
      if (item.label && fits && Math.max(x, LEFT) > free) {
        group.append(svg("text", { class: item.tone === "cue" ? "cue-name" : "on-bar", x: Math.max(x, LEFT) + 4, y: y + ROW / 2 }, item.label));
        free = Math.max(x, LEFT) + wide;
      }
    }
  }

  /** @param {Element} layer @param {number} height */
  #findings(layer, height) {
    const y = this.#y(0);
    const ordered = [...this.scene.findings].sort((a, b) => Number(a.verdict === "BREACH") - Number(b.verdict === "BREACH") || Number(a.id === this.picked) - Number(b.id === this.picked));
    for (const finding of ordered) {
      if (!this.#inView(finding.t_from, finding.t_to)) continue;
      const picked = finding.id === this.picked;
      const from = this.x(finding.t_from);
      const to = Math.max(this.x(finding.t_to), from + 3);
      const x = this.x(finding.t);
      const group = this.#item(layer, finding.t, `${clock(finding.t)}  ${finding.code}${finding.spot ? `, ${finding.spot}` : ""}: ${finding.seen}`);
      group.setAttribute("class", `item ${finding.verdict === "BREACH" ? "" : "unsure"} ${picked ? "picked" : ""}`);
      group.dataset.finding = finding.id;
      if (picked) group.append(svg("rect", { class: "moment", x: from, y: 0, width: to - from, height }));
      group.append(svg("rect", { class: "finding-span", x: from, y: y + 3, width: to - from, height: ROW - 6, rx: 2 }));
      const middle = y + ROW / 2;
      group.append(
        finding.verdict === "BREACH"
          ? svg("path", { class: "finding-head", d: `M${x} ${middle - 6}l6.5 11.500h-13Z` })
          : svg("circle", { class: "finding-head", cx: x, cy: middle, r: 4.5 }),
      );
    }
  }

  #wire() {
    /** @type {{x: number, from: number, to: number, moved: boolean} | null} */
    let drag = null;
    const at = (/** @type {PointerEvent | WheelEvent} */ event) => event.clientX - this.root.getBoundingClientRect().left;
    this.root.addEventListener("wheel", (event) => {
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        const by = ((event.deltaX || event.deltaY) / this.width) * (this.to - this.from);
        this.show(this.from + by, this.to + by);
      } else if (event.ctrlKey || this.host.scrollHeight <= this.host.clientHeight + 1) {
        event.preventDefault();
        this.zoom(Math.exp(event.deltaY * 0.002), this.timeAt(at(event)));
      }
    }, { passive: false });
    this.root.addEventListener("pointerdown", (event) => {
      drag = { x: at(event), from: this.from, to: this.to, moved: false };
      this.root.setPointerCapture(event.pointerId);
    });
    this.root.addEventListener("pointermove", (event) => {
      const x = at(event);
      if (!drag) {
        const item = event.target instanceof Element ? event.target.closest(".item") : null;
        if (this.hover) this.hover.textContent = item?.getAttribute("data-detail") ?? (x > LEFT ? clock(clamp(this.timeAt(x), 0, this.scene.duration_s)) : "\u00a0");
        return;
      }
      if (Math.abs(x - drag.x) > 4) drag.moved = true;
      if (!drag.moved) return;
      if (this.to - this.from >= this.scene.duration_s) this.does.seek(this.timeAt(x)); // nothing to pan: scrub
      else {
        this.root.classList.add("panning");
        const by = ((drag.x - x) / (this.width - LEFT)) * (drag.to - drag.from);
        this.show(drag.from + by, drag.to + by);
      }
    });
    this.root.addEventListener("pointerup", (event) => {
      const still = drag && !drag.moved;
      drag = null;
      this.root.classList.remove("panning");
      if (!still || at(event) < LEFT) return;
      const under = document.elementFromPoint(event.clientX, event.clientY)?.closest(".item");
      if (under instanceof SVGElement && under.dataset.finding) this.does.pick(under.dataset.finding);
      else this.does.seek(this.timeAt(at(event)));
    });
    this.root.addEventListener("pointercancel", () => { drag = null; });
    this.root.addEventListener("pointerleave", () => { if (this.hover) this.hover.textContent = "\u00a0"; });
  }
}
