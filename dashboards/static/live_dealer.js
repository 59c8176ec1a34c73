/** Who deals at a running table: in the bar, and told in a window of its own. */

import { ask, refuse } from "./answers.js";

const EVERY_MS = 10000;
const address = `/api/live/${encodeURIComponent(document.body.dataset.table ?? "")}/dealer`;
const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("dealing"));
const form = /** @type {HTMLFormElement} */ (document.getElementById("dealer-form"));
const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("dealer"));
const now = /** @type {HTMLElement} */ (document.getElementById("dealer-now"));

/** @param {{dealer: string | null, since: string | null}} told */
function show(told) {
  now.textContent = told.dealer ?? "not told";
  now.title = told.since ? `since ${new Date(told.since).toLocaleString("sv")}` : "";
}

async function refresh() {
  try {
    show(await ask(address));
  } catch {
    now.textContent = "?"; // the server does not answer: that is said elsewhere
  }
  setTimeout(refresh, EVERY_MS);
}

document.getElementById("dealer-button")?.addEventListener("click", () => {
  refuse(form);
  dialog.showModal();
});
document.getElementById("dealing-close")?.addEventListener("click", () => dialog.close());
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    show(await ask(address, { dealer: field.value }));
    field.value = "";
    dialog.close();
  } catch (error) {
    refuse(form, error);
  }
});
refresh();
