// What every page does better with a script: it keeps the look that a reader
// chose, and says of what is new how long ago it was. It stands in the head, so
// that no page is shown in the other look first.
"use strict";

(() => {
  const root = document.documentElement;
  const manifest = document.currentScript.dataset.manifest;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const key = "ayna-look";

  // Browsers may forbid to keep anything.
  const kept = () => { try { return localStorage.getItem(key); } catch { return null; } };
  const keep = (look) => { try { localStorage.setItem(key, look); } catch { /* for this page only */ } };

  const set = (look) => { if (look === "dark" || look === "light") root.dataset.look = look; };
  const isDark = () => (root.dataset.look || (system.matches ? "dark" : "light")) === "dark";
  set(kept());

  // From a disk the typeface comes at once, but later than the page: that waits for it.
  if (location.protocol === "file:") {
    root.hidden = true;
    Promise.allSettled(["1em ayna", "italic 1em ayna"].map((face) => document.fonts.load(face))).then(() => { root.hidden = false; });
  }

  function lookButton() {
    const button = document.querySelector(".look");
    if (!button) return;
    const show = () => button.setAttribute("aria-pressed", isDark());
    button.addEventListener("click", () => {
      const look = isDark() ? "light" : "dark";
      set(look);
      keep(look);
      show();
    });
    system.addEventListener("change", show);
    show();
    button.hidden = false;
  }

  // Only of the last day: older things have a date.
  function ago() {
    const relative = new Intl.RelativeTimeFormat(root.lang, { numeric: "always" });
    for (const time of document.querySelectorAll("time[datetime]")) {
      const minutes = Math.round((Date.now() - Date.parse(time.dateTime)) / 60000);
      if (!(minutes >= 0 && minutes < 24 * 60)) continue;
      time.title = time.textContent;
      time.textContent = minutes < 60 ? relative.format(-minutes, "minute") : relative.format(-Math.floor(minutes / 60), "hour");
    }
  }

  // A page that was opened from a disk has no use for it, and may not read it.
  if (location.protocol !== "file:") {
    const link = document.createElement("link");
    link.rel = "manifest";
    link.href = manifest;
    document.head.append(link);
  }
  document.addEventListener("DOMContentLoaded", () => { lookButton(); ago(); });
})();
