/** The review page: joins the player, the overlay, the timeline and the lists. */

import { wireAnswers, wireDealer } from "./answers.js";
import { Findings } from "./findings.js";
import { Overlay } from "./overlay.js";
import { Player } from "./player.js";
import { Timeline } from "./timeline.js";

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

async function start() {
  const answer = await fetch(`/api/reviews/${document.body.dataset.review}/scene`);
  const scene = await answer.json();
  if (!answer.ok) throw new Error(scene.detail);

  const video = /** @type {HTMLVideoElement | null} */ (document.getElementById("video"));
  const player = new Player(video, scene.duration_s);
  const overlay = new Overlay(/** @type {any} */ (byId("overlay")), scene);
  const find = (/** @type {string} */ id) => scene.findings.find((/** @type {any} */ f) => f.id === id);

  /** Show one finding and play its moment. */
  function pick(/** @type {string} */ id, play = true) {
    const finding = find(id);
    if (!finding) return;
    findings.open(id);
    overlay.show(finding);
    timeline.pick(id);
    caption(finding);
    concern(finding.spot, finding.coup);
    history.replaceState(null, "", `#${encodeURIComponent(id)}`);
    still(finding);
    if (play) player.playMoment(finding.t_from, finding.t_to);
    else player.goTo(finding.t);
  }

  const replay = () => {
    const finding = find(findings.picked);
    if (finding) player.playMoment(finding.t_from, finding.t_to);
  };
  const timeline = new Timeline(byId("lanes"), scene, {
    seek: (t) => player.goTo(t),
    pick,
    view: () => { if (/** @type {HTMLInputElement} */ (byId("filter-view")).checked) findings.filter(); },
  });
  const findings = new Findings(byId("finding-list"), { pick, replay, span: () => [timeline.from, timeline.to] });
  const coups = wireCoups(scene, player);
  player.onTime((t) => {
    overlay.at(t);
    timeline.at(t);
    coups.at(t);
  });
  wireDiagrams();
  wireAnswers(String(document.body.dataset.review));
  wireDealer(String(document.body.dataset.review), player);
  wireTools(overlay, timeline, player, coups);
  wireKeys({ player, timeline, findings, replay });

  const linked = decodeURIComponent(location.hash.slice(1));
  if (find(linked)) pick(linked, false);
  document.body.dataset.ready = "yes";
}

/** What the picked finding is, in the picture's corner. @param {any} finding */
function caption(finding) {
  const box = byId("caption");
  const told = finding.verdict === "UNDETERMINED" ? ".reason .why" : ".seen p";
  const seen = document.querySelector(`.finding.picked ${told}`)?.textContent ?? finding.seen;
  box.textContent = `${finding.code.replaceAll("_", " ").toLowerCase()}${finding.spot ? ` · ${finding.spot}` : ""}: ${seen}`;
  box.className = `caption ${finding.verdict.toLowerCase()}`;
  box.hidden = false;
}

/** Without a video, the finding's picture stands in for it. @param {any} finding */
function still(finding) {
  const image = /** @type {HTMLImageElement | null} */ (document.getElementById("still"));
  if (!image || !finding.picture) return;
  image.src = finding.picture;
  image.alt = `Evidence of ${finding.code} at ${finding.spot ?? "the table"}`;
  image.hidden = false;
  byId("overlay").setAttribute("hidden", ""); // the picture has the evidence drawn in it already
  document.querySelector(".no-video")?.setAttribute("hidden", "");
}

/** Mark the bet that a finding is about. @param {string | null} spot @param {number} coup */
function concern(spot, coup) {
  for (const row of document.querySelectorAll(".bets tr[data-spot]")) {
    const of = /** @type {HTMLElement | null} */ (row.closest(".coup"))?.dataset.coup;
    row.classList.toggle("concerned", /** @type {HTMLElement} */ (row).dataset.spot === spot && of === String(coup));
  }
}

/** @param {any} scene @param {Player} player */
function wireCoups(scene, player) {
  const articles = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".coup")]);
  const tabs = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".strip button")]);
  let current = "";
  const go = (/** @type {string | undefined} */ number) => {
    const coup = scene.coups.find((/** @type {any} */ c) => String(c.coup) === number);
    if (coup) player.goTo(coup.t_from);
  };
  for (const article of articles) article.querySelector(".goto")?.addEventListener("click", () => go(article.dataset.coup));
  for (const tab of tabs) tab.addEventListener("click", () => go(tab.dataset.coup));
  return {
    /** The coup at a time (or the one before). @param {number} t */
    of(t) {
      let found = scene.coups[0] ?? null;
      for (const coup of scene.coups) if (coup.t_from <= t + 0.05) found = coup;
      return found;
    },
    /** @param {number} t */
    at(t) {
      const number = String(this.of(t)?.coup ?? "");
      if (number === current) return;
      current = number;
      for (const element of [...articles, ...tabs]) {
        const here = element.dataset.coup === number;
        element.classList.toggle("current", here);
        if (here && scene.coups.length > 1) element.scrollIntoView({ block: "nearest", inline: "nearest" });
      }
    },
  };
}

/** Diagrams of the bets are fetched as their coup comes into view. */
function wireDiagrams() {
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      void draw(/** @type {HTMLElement} */ (target));
    }
  }, { rootMargin: "200px" });
  for (const figure of document.querySelectorAll("figure.felt[data-src]")) seen.observe(figure);
  const draw = async (/** @type {HTMLElement} */ figure) => {
    const answer = await fetch(figure.dataset.src ?? "");
    if (!answer.ok) { figure.hidden = true; return; }
    const parsed = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
    figure.replaceChildren(document.importNode(parsed.documentElement, true));
  };
}

/** @param {Overlay} overlay @param {Timeline} timeline @param {Player} player @param {any} coups */
function wireTools(overlay, timeline, player, coups) {
  for (const [id, field] of /** @type {["show-zones" | "show-places" | "show-seen", "zones" | "places" | "seen"][]} */ ([["show-zones", "zones"], ["show-places", "places"], ["show-seen", "seen"]])) {
    byId(id).addEventListener("change", (event) => {
      overlay[field] = /** @type {HTMLInputElement} */ (event.target).checked;
      overlay.at(player.time);
    });
  }
  byId("zoom-in").addEventListener("click", () => timeline.zoom(0.6));
  byId("zoom-out").addEventListener("click", () => timeline.zoom(1 / 0.6));
  byId("zoom-fit").addEventListener("click", () => timeline.show(0, timeline.scene.duration_s));
  byId("zoom-coup").addEventListener("click", () => {
    const coup = coups.of(player.time);
    if (coup) timeline.show(coup.t_from - 1, coup.t_to + 1);
  });
  byId("keys-button").addEventListener("click", () => /** @type {HTMLDialogElement} */ (byId("keys")).showModal());
}

/** @param {{player: Player, timeline: Timeline, findings: Findings, replay: () => void}} parts */
function wireKeys({ player, timeline, findings, replay }) {
  const press = (/** @type {string} */ id) => () => byId(id).click();
  /** @type {Record<string, (event: KeyboardEvent) => void>} */
  const keys = {
    j: () => findings.next(1),
    k: () => findings.next(-1),
    " ": () => player.toggle(),
    ArrowLeft: (event) => player.step(event.shiftKey ? -1 : -0.1),
    ArrowRight: (event) => player.step(event.shiftKey ? 1 : 0.1),
    r: replay,
    l: press("loop"),
    z: press("show-zones"),
    b: press("show-places"),
    v: press("show-seen"),
    "+": press("zoom-in"),
    "=": press("zoom-in"),
    "-": press("zoom-out"),
    0: press("zoom-fit"),
    "?": press("keys-button"),
  };
  document.addEventListener("click", (event) => {
    // After a click with the mouse, space plays: the button clicked does not keep the focus.
    if (event.detail > 0 && event.target instanceof Element) {
      /** @type {HTMLElement | null} */ (event.target.closest("button, summary, input[type=checkbox]"))?.blur();
    }
  });
  document.addEventListener("keydown", (event) => {
    const on = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.metaKey || event.altKey || on.closest("input:not([type=checkbox]), select, dialog[open]")) return;
    if (event.key === " " && on.closest("button, summary, input, a")) return; // what has the focus is meant
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act(event);
  });
}

start().catch((error) => {
  const box = byId("lanes");
  box.textContent = `The timeline cannot be shown. ${error instanceof Error ? error.message : ""}`;
  box.className = "lanes notice";
  document.body.dataset.ready = "failed";
});
