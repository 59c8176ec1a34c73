/** The front page: the running tables, asked for again and again. */

import { clocks } from "./format.js";

const EVERY_MS = 2000;
const box = /** @type {HTMLElement} */ (document.getElementById("running"));

async function ask() {
  try {
    const answer = await fetch("/live");
    if (!answer.ok) throw new Error(String(answer.status));
    box.innerHTML = await answer.text();
    box.classList.remove("stale");
    box.hidden = !box.querySelector("tbody tr");
    clocks(box);
  } catch {
    box.classList.add("stale"); // the server does not answer: what is shown may no longer be so
  }
  setTimeout(ask, EVERY_MS);
}

clocks(document);
setTimeout(ask, EVERY_MS);
