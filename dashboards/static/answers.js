/** What people say on a review's page: whether a finding was an error, and who dealt. */

import { clock, clocks } from "./format.js";

const NAME = "veedor.reviewer";

/** Send something as JSON; what is wrong with it is thrown. @param {string} address @param {any} [said] */
export async function ask(address, said) {
  const sent = said === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(said) };
  const answer = await fetch(address, sent);
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.detail);
  return told;
}

/** Show what is wrong, or that nothing is. @param {HTMLElement} form @param {unknown} [error] */
export function refuse(form, error) {
  const place = /** @type {HTMLElement} */ (form.querySelector(".refused"));
  place.hidden = error === undefined;
  place.textContent = error instanceof Error ? error.message : "";
}

/** One answer as an entry. @param {any} said @param {HTMLSelectElement} whose */
function entry(said, whose) {
  const item = document.createElement("li");
  item.classList.toggle("earlier", !said.current);
  const what = document.createElement("b");
  what.textContent = said.answer[0].toUpperCase() + said.answer.slice(1);
  const words = said.whose ? ` (${[...whose.options].find((option) => option.value === said.whose)?.text})` : "";
  const time = document.createElement("time");
  time.dateTime = said.at;
  time.dataset.clock = "day";
  item.append(what, `${words}, ${said.by}, `, time);
  if (!said.current) item.append(" of what this finding said before");
  if (said.note) {
    const note = document.createElement("span");
    note.className = "note";
    note.textContent = said.note;
    item.append(note);
  }
  return item;
}

/** Findings: yes, no, cannot tell. @param {string} review */
export function wireAnswers(review) {
  const forms = /** @type {HTMLFormElement[]} */ ([...document.querySelectorAll("form.answer")]);
  const field = (/** @type {HTMLFormElement} */ form, /** @type {string} */ name) => /** @type {any} */ (form.elements.namedItem(name));
  for (const form of forms) {
    field(form, "by").value = localStorage.getItem(NAME) ?? "";
    form.addEventListener("submit", (event) => event.preventDefault()); // the enter key alone says nothing
    const say = async (/** @type {string} */ answer) => {
      const finding = /** @type {HTMLElement} */ (form.closest(".finding"));
      const whose = /** @type {HTMLSelectElement} */ (field(form, "whose"));
      const by = field(form, "by").value.trim();
      if (!by) {
        refuse(form, new Error("Write your name or number first: an answer says who gave it."));
        field(form, "by").focus();
        return;
      }
      try {
        const address = `/api/reviews/${review}/findings/${encodeURIComponent(finding.dataset.id ?? "")}/answers`;
        const given = await ask(address, { answer, by, note: field(form, "note").value, whose: answer === "confirmed" ? whose.value : null });
        localStorage.setItem(NAME, by);
        for (const other of forms) field(other, "by").value = by;
        field(form, "note").value = "";
        const list = /** @type {HTMLElement} */ (finding.querySelector(".given"));
        list.replaceChildren(...given.map((/** @type {any} */ said) => entry(said, whose)));
        clocks(list);
        const said = finding.querySelector(".said");
        if (said) said.textContent = answer;
        refuse(form);
      } catch (error) {
        refuse(form, error);
      }
    };
    for (const button of form.querySelectorAll("button")) button.addEventListener("click", () => say(button.value));
  }
  for (const list of document.querySelectorAll(".given")) clocks(/** @type {HTMLElement} */ (list));
}

/** Who dealt: in the bar, and in a window of its own. @param {string} review @param {{time: number}} player */
export function wireDealer(review, player) {
  const address = `/api/reviews/${review}/dealers`;
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("dealing"));
  const form = /** @type {HTMLFormElement} */ (document.getElementById("dealer-form"));
  const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  const now = /** @type {HTMLElement} */ (document.getElementById("dealer-now"));
  const show = (/** @type {any} */ found) => {
    const names = found.told.map((/** @type {any} */ told) => told.dealers.join(", ") || "nobody");
    now.textContent = names.length ? `${names.slice(0, 2).join(" · ")}${names.length > 2 ? " …" : ""}` : "not told";
    document.getElementById("dealer-told")?.replaceChildren(...found.told.map((/** @type {any} */ told, /** @type {number} */ i) => {
      const item = document.createElement("li");
      const moment = found.start ? ` (${new Date(Date.parse(found.start) + 1000 * told.t).toLocaleString("sv")})` : "";
      item.textContent = `from ${clock(told.t)}${moment}: ${names[i]}`;
      return item;
    }));
    field("t").value = found.told.length ? player.time.toFixed(1) : "0";
  };
  const refresh = () => ask(address).then(show, (error) => { now.textContent = "?"; refuse(form, error); });
  document.getElementById("dealer-button")?.addEventListener("click", () => {
    dialog.showModal();
    refresh();
  });
  document.getElementById("dealing-close")?.addEventListener("click", () => dialog.close());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const moment = field("moment").value;
    try {
      show(await ask(address, { dealer: field("dealer").value, t: Number(field("t").value), utc: moment ? new Date(moment).toISOString() : null }));
      field("dealer").value = field("moment").value = "";
      refuse(form);
    } catch (error) {
      refuse(form, error);
    }
  });
  refresh();
}
