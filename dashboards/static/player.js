/** The video: playing, seeking, and the one moment that a finding shows. Without a video it is a clock only. */

import { clamp, clock } from "./format.js";

/** Seconds shown before and after a finding's own span. */
const LEAD_S = 1;

export class Player {
  /** @param {HTMLVideoElement | null} video @param {number} duration seconds */
  constructor(video, duration) {
    this.video = video;
    this.duration = duration;
    /** @type {{from: number, to: number} | null} what is played, then stopped at (or repeated) */
    this.moment = null;
    this.repeat = false;
    /** @type {((t: number) => void)[]} */
    this.listeners = [];
    this.clock = 0;
    this.#wire();
  }

  /** Seconds from the recording's start. */
  get time() {
    return this.video ? this.video.currentTime : this.clock;
  }

  /** @param {(t: number) => void} listener called whenever another picture is shown */
  onTime(listener) {
    this.listeners.push(listener);
    listener(this.time);
  }

  /** @param {number} t */
  seek(t) {
    const to = clamp(t, 0, this.duration);
    this.clock = to;
    if (this.video) this.video.currentTime = to;
    this.#tell();
  }

  /** Move by some seconds, stopping: this is for looking closely. @param {number} by */
  step(by) {
    this.moment = null;
    this.video?.pause();
    this.seek(this.time + by);
  }

  toggle() {
    if (!this.video) return;
    if (this.video.paused) {
      if (this.moment && this.time >= this.moment.to - 0.05) this.moment = null;
      this.#play();
    } else this.video.pause();
  }

  /** Play one moment: from a second before it to a second after. @param {number} from @param {number} to */
  playMoment(from, to) {
    this.moment = { from: Math.max(0, from - LEAD_S), to: Math.min(this.duration, to + LEAD_S) };
    this.seek(this.moment.from);
    this.#play();
  }

  /** Forget the moment: play on freely. @param {number} t */
  goTo(t) {
    this.moment = null;
    this.seek(t);
  }

  #play() {
    // A browser may refuse to play (no codec, no gesture): the picture at the moment is then still shown.
    this.video?.play().catch(() => undefined);
  }

  #tell() {
    for (const listener of this.listeners) listener(this.time);
  }

  #tick() {
    const moment = this.moment;
    if (this.video && moment && !this.video.paused && this.time >= moment.to) {
      if (this.repeat) this.video.currentTime = moment.from;
      else this.video.pause();
    }
    this.#tell();
  }

  #wire() {
    const byId = (/** @type {string} */ id) => document.getElementById(id);
    const play = byId("play");
    const readout = byId("time");
    play?.addEventListener("click", () => this.toggle());
    byId("back")?.addEventListener("click", () => this.step(-0.1));
    byId("forward")?.addEventListener("click", () => this.step(0.1));
    byId("speed")?.addEventListener("change", (event) => {
      if (this.video) this.video.playbackRate = Number(/** @type {HTMLSelectElement} */ (event.target).value);
    });
    byId("loop")?.addEventListener("change", (event) => {
      this.repeat = /** @type {HTMLInputElement} */ (event.target).checked;
    });
    this.onTime((t) => {
      if (readout) readout.textContent = clock(t);
    });
    if (!this.video) return;
    const shown = () => {
      play?.classList.toggle("playing", !this.video?.paused);
      play?.setAttribute("aria-label", this.video?.paused ? "Play" : "Stop");
    };
    for (const name of ["play", "pause", "ended"]) this.video.addEventListener(name, shown);
    this.video.addEventListener("seeked", () => this.#tell());
    this.video.addEventListener("click", () => this.toggle());
    const frame = () => {
      if (!this.video?.paused) this.#tick();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }
}
