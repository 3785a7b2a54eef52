// What pages do better with a script: they keep the look that a reader chose, show how
// long ago something new was, copy the addresses of feeds and lead to the search. It is
// loaded in the head, so that no page is shown in the other look first.
"use strict";

(() => {
  const root = document.documentElement;
  const manifest = document.currentScript.dataset.manifest;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const key = "ayna-look";

  // Browsers may forbid to keep anything.
  const kept = () => { try { return localStorage.getItem(key); } catch { return null; } };
  const keep = (look) => {
    try { look ? localStorage.setItem(key, look) : localStorage.removeItem(key); } catch { /* for this page only */ }
  };

  const first = (selector) => document.querySelector(selector);
  const make = (tag, fields) => Object.assign(document.createElement(tag), fields);
  const disk = location.protocol === "file:";
  const bars = [...document.querySelectorAll("[name=theme-color]")], colors = bars.map((bar) => bar.content); // light, dark

  const set = (look) => {
    const chosen = ["light", "dark"].indexOf(look);
    if (chosen < 0) delete root.dataset.look;
    else root.dataset.look = look;
    bars.forEach((bar, i) => { bar.content = colors[chosen] ?? colors[i]; });
  };
  set(kept());

  // From a disk the typeface comes at once, but later than the page: that waits for it.
  if (disk && document.fonts) {
    root.hidden = true;
    Promise.allSettled(["1em ayna", "italic 1em ayna"].map((face) => document.fonts.load(face, "a " + document.title))).then(() => { root.hidden = false; });
  }

  // From the system's look the first press changes to the other one, the second to the
  // same, and the third leads back to the system's.
  function lookButton() {
    const button = first(".look");
    if (!button) return;
    const show = () => { button.textContent = button.title = button.dataset[root.dataset.look || "system"]; };
    button.addEventListener("click", () => {
      const looks = system.matches ? ["", "light", "dark"] : ["", "dark", "light"];
      const look = looks[(looks.indexOf(root.dataset.look || "") + 1) % 3];
      set(look);
      keep(look);
      show();
    });
    show();
    button.hidden = false;
  }

  // Letters without accents, in lower case: who looks for "insaat" finds "İnşaat".
  const fold = (text) => text.toLocaleLowerCase(root.lang).normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ı", "i");

  // copyButton returns a button that copies a text. words has the word that it shows afterwards.
  function copyButton(words, what, text) {
    const name = what + ": " + text;
    const button = make("button", { type: "button", textContent: what });
    button.setAttribute("aria-label", name);
    button.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(text); } catch { // no https
        const copied = make("span", { textContent: text });
        button.after(copied);
        getSelection().selectAllChildren(copied);
        document.execCommand("copy");
        copied.remove();
      }
      button.textContent = words.copied;
      button.setAttribute("aria-label", words.copied);
      setTimeout(() => {
        button.textContent = what;
        button.setAttribute("aria-label", name);
      }, 2000);
    });
    button.setAttribute("aria-live", "polite");
    return button;
  }

  // Addresses of feeds have a button that copies them.
  function addresses() {
    const say = first("[data-copy]")?.dataset;
    for (const code of say ? document.querySelectorAll("code.address") : []) code.after(" ", copyButton(say, say.copy, code.textContent));
  }

  // The page of all feeds finds lists by their titles.
  function feeds() {
    const filter = first(".filter");
    if (!filter) return;
    const status = document.getElementById("filtered");
    const input = filter.querySelector("input");
    const rows = [...document.querySelectorAll(".feeds :not(.links) > li")].reverse(); // sub-folders before their folder; not links to further pages
    const shown = (element) => element.querySelector("li:not([hidden])");
    input.addEventListener("input", () => {
      const words = fold(input.value).split(/\s+/).filter(Boolean);
      for (const row of rows) {
        const title = fold(row.querySelector("a").textContent);
        row.hidden = !words.every((word) => title.includes(word)) && !shown(row);
      }
      for (const group of document.querySelectorAll(".feeds, .feeds details")) {
        group.hidden = !shown(group);
        if (group.matches("details")) group.open = words.length > 0;
      }
      status.textContent = first(".feeds:not([hidden])") ? "" : filter.dataset.none;
    });
    filter.hidden = false;
  }

  // The page for unknown addresses opens the search page.
  function find() {
    const form = first(".find");
    if (!form) return;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      location.href = form.action + "?" + new URLSearchParams(new FormData(form));
    });
    form.hidden = false;
  }

  // Only of the last day and of yesterday: older things have a date.
  function ago() {
    let relative; // made when it is needed: browsers load a language's rules slowly
    for (const time of document.querySelectorAll("time[datetime]")) {
      const now = new Date(Date.now()), then = new Date(time.dateTime), minutes = Math.round((now - then) / 60000);
      const old = minutes >= 24 * 60, yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
      if (!(minutes >= 0) || (old && then < yesterday)) continue;
      relative ??= new Intl.RelativeTimeFormat(root.lang, { numeric: "auto" });
      time.title = time.textContent;
      if (old) time.textContent = relative.format(-1, "day") + " " + then.toLocaleTimeString(root.lang, { hour: "2-digit", minute: "2-digit" });
      else time.textContent = minutes < 60 ? relative.format(-minutes, "minute") : relative.format(-Math.floor(minutes / 60), "hour");
    }
  }

  // An item's page can be passed on: its address is copied, or shared as the system does.
  function share() {
    const place = first(".share");
    if (!place) return;
    const canonical = first("link[rel=canonical]")?.href;
    const url = disk && canonical || location.href.replace(/#.*/u, "");
    place.append(copyButton(place.dataset, place.dataset.copy, url));
    if (navigator.share) {
      const onclick = () => navigator.share({ title: first("meta[property='og:title']").content, url }).catch(() => {});
      place.append(" ", make("button", { type: "button", textContent: place.dataset.share, onclick }));
    }
  }

  // A page that was opened from a disk has no use for it, and may not read it.
  if (!disk) document.head.append(make("link", { rel: "manifest", href: manifest }));
  document.addEventListener("DOMContentLoaded", () => { lookButton(); addresses(); feeds(); find(); share(); setTimeout(ago); });
})();
