/** The admission page: which measure the map of the felt shows. */

const buttons = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll("[data-map]")]);
for (const button of buttons) {
  button.addEventListener("click", () => {
    for (const other of buttons) {
      other.setAttribute("aria-pressed", String(other === button));
      document.getElementById(`map-${other.dataset.map}`)?.toggleAttribute("hidden", other !== button);
    }
  });
}
