/** The list of findings: one is picked and open at a time; filters hide the others. */

export class Findings {
  /** @param {HTMLElement} host @param {{pick: (id: string) => void, replay: () => void, span: () => [number, number]}} does */
  constructor(host, does) {
    this.host = host;
    this.does = does;
    /** @type {HTMLElement[]} */
    this.items = [...host.querySelectorAll(".finding")].map((item) => /** @type {HTMLElement} */ (item));
    this.verdict = "";
    this.picked = "";
    this.#wire();
  }

  /** Those the filters leave, in the order shown. */
  get shown() {
    return this.items.filter((item) => !item.hidden);
  }

  /** Open one and close the others. @param {string} id */
  open(id) {
    this.picked = id;
    for (const item of this.items) {
      const here = item.dataset.id === id;
      item.classList.toggle("picked", here);
      item.querySelector(".line")?.setAttribute("aria-expanded", String(here));
      item.querySelector(".detail")?.toggleAttribute("hidden", !here);
      if (!here) continue;
      const group = item.closest("details");
      if (group) group.open = true;
      item.scrollIntoView({ block: "nearest" });
    }
  }

  close() {
    this.open("");
  }

  /** The next one shown (or the one before). @param {number} by */
  next(by) {
    const shown = this.shown;
    if (!shown.length) return;
    const now = shown.findIndex((item) => item.dataset.id === this.picked);
    const to = now < 0 ? (by > 0 ? 0 : shown.length - 1) : Math.min(shown.length - 1, Math.max(0, now + by));
    this.does.pick(shown[to].dataset.id ?? "");
  }

  filter() {
    const value = (/** @type {string} */ id) => {
      const field = /** @type {HTMLInputElement | HTMLSelectElement} */ (document.getElementById(id));
      if (field instanceof HTMLSelectElement) field.classList.toggle("set", field.value !== "");
      return field.value;
    };
    const words = value("filter-words").toLowerCase().split(/\s+/).filter(Boolean);
    const [severity, code, spot] = [value("filter-severity"), value("filter-code"), value("filter-spot")];
    const inView = /** @type {HTMLInputElement} */ (document.getElementById("filter-view")).checked;
    const [from, to] = this.does.span();
    for (const item of this.items) {
      const data = item.dataset;
      const text = item.textContent?.toLowerCase() ?? "";
      item.hidden = Boolean(
        (this.verdict && data.verdict !== this.verdict)
        || (severity && data.severity !== severity)
        || (code && data.code !== code)
        || (spot && data.spot !== spot)
        || (inView && (Number(data.to) < from || Number(data.from) > to))
        || !words.every((word) => text.includes(word)),
      );
    }
    for (const group of this.host.querySelectorAll("details.group")) {
      /** @type {HTMLElement} */ (group).hidden = ![...group.querySelectorAll(".finding")].some((item) => !(/** @type {HTMLElement} */ (item).hidden));
    }
    document.getElementById("none-left")?.toggleAttribute("hidden", !this.items.length || this.shown.length > 0);
  }

  #wire() {
    for (const item of this.items) {
      item.querySelector(".line")?.addEventListener("click", () => this.does.pick(item.dataset.id ?? ""));
      item.querySelector(".replay")?.addEventListener("click", () => this.does.replay());
    }
    const form = /** @type {HTMLFormElement} */ (document.getElementById("filters"));
    form.addEventListener("input", () => this.filter());
    form.addEventListener("submit", (event) => event.preventDefault());
    const verdicts = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll(".segmented button")]);
    const choose = (/** @type {string} */ verdict) => {
      this.verdict = verdict;
      for (const button of verdicts) button.setAttribute("aria-pressed", String((button.dataset.verdict ?? "") === verdict));
      this.filter();
    };
    for (const button of verdicts) button.addEventListener("click", () => choose(button.dataset.verdict ?? ""));
    document.getElementById("clear-filters")?.addEventListener("click", () => {
      form.reset();
      choose("");
    });
  }
}
