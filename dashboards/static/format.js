/** Small helpers: times as people read them, and SVG elements. */

/** @param {number} t seconds @returns {string} `m:ss.t`, `h:mm:ss.t` from an hour */
export function clock(t) {
  const tenths = Math.max(0, Math.round(t * 10));
  const second = Math.floor(tenths / 10);
  const pad = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const minutes = Math.floor(second / 60);
  const head = minutes >= 60 ? `${Math.floor(minutes / 60)}:${pad(minutes % 60)}` : `${minutes}`;
  return `${head}:${pad(second % 60)}.${tenths % 10}`;
}

/** An SVG element with attributes and, if given, text.
 * @param {string} name @param {Record<string, string | number>} [attributes] @param {string} [text] */
export function svg(name, attributes = {}, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/** @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** Write the times in a part of the page as clocks here show them. @param {ParentNode} within */
export function clocks(within) {
  for (const time of within.querySelectorAll("time[data-clock]")) {
    const at = new Date(/** @type {HTMLTimeElement} */ (time).dateTime);
    const far = /** @type {HTMLElement} */ (time).dataset.clock === "day" || Date.now() - at.getTime() > 20 * 3600 * 1000;
    time.textContent = `${far ? `${at.toLocaleDateString("sv")} ` : ""}${at.toLocaleTimeString("sv")}`;
  }
}
