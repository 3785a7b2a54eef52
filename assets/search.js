// The search page: the form, and the results.
"use strict";

(() => {
  const { normal, words, isNear, open, close, begin, next, counts, done, waiting, sum, BEGINNING } = ayna;

  // ---- Excerpts

  const BEFORE = 60, EXCERPT = 220; // letters

  // marksOf returns the words of a text that are looked for. The pairs of a run are one, and
  // none without the others.
  function marksOf(text, wants) {
    const marks = [];
    for (const { word, from, to: end, tail } of words(text)) {
      const want = wants.findIndex((w) => !w.not && (w.very ? w.form === word : w.forms?.has(word) || (w.begins && word.startsWith(w.begins))));
      if (want < 0 || (tail && !wants[want].begins)) continue;
      const to = wants[want].unspaced && wants[want].begins ? from + wants[want].begins.length : end; // of a pair, one letter
      const last = marks.at(-1);
      if (last?.to > from) [last.to, last.pairs] = [to, last.pairs + 1];
      else marks.push({ want, from, to, pairs: 1 });
    }
    return marks.filter(({ want, pairs }) => pairs >= (wants[want].pairs ?? 1));
  }

  // excerptOf returns where the most different words stand together in a text.
  function excerptOf(marks) {
    let best = 0, most = 0;
    for (let i = 0; i < marks.length; i++) {
      const near = new Set();
      for (let j = i; j < marks.length && marks[j].to - marks[i].from < EXCERPT - BEFORE; j++) near.add(marks[j].want);
      if (near.size > most) [best, most] = [marks[i].from, near.size];
    }
    return best;
  }

  // marked fills an element with a part of a text, in which words are marked.
  function marked(element, text, marks, from = 0, to = text.length) {
    for (const mark of marks) {
      if (mark.from < from || mark.to > to) continue;
      const word = document.createElement("mark");
      word.textContent = text.slice(mark.from, mark.to);
      element.append(text.slice(from, mark.from), word);
      from = mark.to;
    }
    element.append(text.slice(from, to));
    return element;
  }

  function excerpt(element, item, wants) {
    const text = item.lines.replaceAll("\n", " "), marks = marksOf(text, wants);
    let from = Math.max(0, excerptOf(marks) - BEFORE);
    if (from) from = text.indexOf(" ", from) + 1;
    let to = Math.min(text.length, from + EXCERPT);
    if (to < text.length) to = Math.max(text.lastIndexOf(" ", to), from + BEFORE);
    if (from) element.append("… ");
    marked(element, text, marks, from, to);
    if (to < text.length) element.append(" …");
    return element;
  }

  // ---- The page

  const form = document.getElementById("search");
  const status = document.getElementById("found");
  const results = document.getElementById("results");
  const more = document.getElementById("more");
  const hint = document.getElementById("hint");
  const ways = document.getElementById("ways"); // what a reader may look at instead
  const beside = document.getElementById("beside"); // hits by section and year
  const fold = document.getElementById("fold"); // of a phone: opens the filters
  const say = form.dataset;
  let current; // the search that is shown

  const text = (element, content) => { element.textContent = content; return element; };
  const written = (number) => number.toLocaleString(document.documentElement.lang);
  // A date as the language writes it; the pattern is of the CLDR, such as "d. MMMM y".
  const figures = (number, letters) => number.toLocaleString(document.documentElement.lang, { useGrouping: false, minimumIntegerDigits: Math.min(letters.length, 2) });
  // In another calendar than the Gregorian one the browser counts.
  function inCalendar(...day) {
    if (!say.calendar) return day;
    const format = new Intl.DateTimeFormat(`en-u-ca-${say.calendar}-nu-latn`, { year: "numeric", month: "numeric", day: "numeric", timeZone: "UTC" });
    const parts = format.formatToParts(Date.UTC(day[0], day[1] - 1, day[2]));
    return ["year", "month", "day"].map((type) => parseInt(parts.find((part) => part.type === type).value, 10));
  }
  const day = (year, month, date) => say.date.replace(/'([^']*)'|y+|[ML]+|d+/g, (field, literal) => {
    if (literal !== undefined) return literal;
    if (field[0] === "y") return figures(year, "y");
    if (field[0] === "d") return figures(date, field);
    return field.length > 2 ? say.months.split("|")[month - 1] : figures(month, field);
  });
  const FIELD_NAMES = ["folder", "writer", "kind", "from", "to", "sort"].filter((name) => form[name]); // not every paper has writers
  const fields = () => Object.fromEntries(["q", ...FIELD_NAMES].map((name) => [name, form[name].value]));

  const element = (tag, name) => Object.assign(document.createElement(tag), { className: name || "" });

  const KINDS = ["article", "column", "gallery", "video"]; // by their numbers in files of items

  function result(item, wants) {
    const entry = element("li"), head = element("h2"), link = element("a");
    link.href = say.root + item.address;
    link.dir = "auto";
    head.append(marked(link, item.title, marksOf(item.title, wants)));
    const meta = element("p", "meta");
    const kind = item.kind > 0 && [...form.kind.options].find((o) => o.value === KINDS[item.kind]);
    const date = item.date && day(...inCalendar(Math.floor(item.date / 10000), Math.floor(item.date / 100) % 100, item.date % 100));
    for (const [tag, content] of [["bdi", item.folder], ["span", kind && kind.text], ["span", date]]) {
      if (content) meta.append(text(element(tag), content), " ");
    }
    entry.append(head, meta);
    if (item.lines) entry.append(excerpt(Object.assign(element("p", "spot"), { dir: "auto" }), item, wants));
    if (item.picture) {
      const picture = Object.assign(element("img"), { alt: "", loading: "lazy", width: 120, height: 80 });
      picture.src = /^https?:/.test(item.picture) ? item.picture : say.root + item.picture;
      head.after(picture);
    }
    return entry;
  }

  // show adds the next hits of a search to the page.
  async function show(search) {
    const items = await next(search);
    if (search !== current) return;
    if (!search.shown) {
      results.replaceChildren();
      explain(search);
    }
    results.append(...items.map((item) => result(item, search.wants)));
    search.shown += items.length;
    const all = done(search), count = search.numbers.length + sum(search.ranks, (list) => list.length) - search.rejected;
    const open = waiting(search) > 0, found = !all ? say.newest : !count ? nothing(search) : open && search.phrases.length ? say.most : say.found;
    text(status, found.replace("%d", written(count)).replace("%s", written(search.searched)));
    text(more, open ? say.more : say.older);
    more.hidden = all && !open;
    ways.hidden = count > 0;
    showCounts(search);
  }

  // showCounts shows how many hits each section and each year has, those with most.
  async function showCounts(search) {
    let found = {};
    try { found = await counts(search) ?? {}; } catch { /* the hits are there without them */ }
    if (search !== current) return;
    beside.replaceChildren();
    beside.hidden = false;
    const most = (all, size) => (all ?? []).filter(([, number]) => number).sort(([, a], [, b]) => b - a).slice(0, size);
    const add = (title, entries, filter) => {
      if (entries.length < 2) return;
      const links = element("ul", "links");
      for (const [name, number, label] of entries) {
        const entry = element("li"), link = text(element("a"), label);
        link.href = addressOf({ ...search.query, ...filter(name) });
        link.dir = "auto";
        entry.append(link, " ", text(element("small"), written(number)));
        links.append(entry);
      }
      beside.append(text(element("b"), title), links);
    };
    add(form.querySelector("[for=folder]").textContent, most(found.folders, 8), (folder) => ({ folder }));
    add(say.years, most(found.years, 12).sort(([a], [b]) => b - a).map(([year, number]) => [year, number, figures(Number(year), "y")]), (year) => ({ from: year + "-01-01", to: year + "-12-31" }));
  }

  // foldFilters says on a phone how many filters are set.
  function foldFilters() {
    const set = FIELD_NAMES.filter((name) => form[name].value).length;
    text(fold, say.filters + (set ? " · " + written(set) : ""));
  }

  const filled = (format, ...values) => values.reduce((all, value) => all.replace("%s", () => value), format);
  const addressOf = (query) => location.pathname + "?" + new URLSearchParams(Object.entries(query).filter(([, value]) => value.trim()));

  // explain says what is found instead of unknown words, and offers what may be meant.
  function explain({ query, list, writers }) {
    text(hint, list.filter((want) => want.instead).map((want) => filled(say.instead, want.written, want.instead)).join(" "));
    const mistyped = list.filter((want) => want.means);
    const writer = mistyped[0] && writers?.find(([, name]) => list.every(({ form }) => words(normal(name)).some(({ word }) => isNear(word, form))));
    const offered = writer ? [writer[1]] : [];
    const most = writer && list[1] ? 0 : Math.max(0, ...mistyped.map(({ means }) => means.length));
    for (let i = 0; i < most; i++) {
      let q = normal(query.q);
      for (const { at, means, written } of mistyped.toReversed()) q = q.slice(0, at) + (means[i] ?? means[0] ?? written) + q.slice(at + written.length);
      offered.push(q);
    }
    const [before, after] = say.mean.split("%s");
    offered.forEach((q, i) => {
      const link = text(element("a"), q);
      link.href = addressOf({ ...query, q });
      link.dir = "auto";
      hint.append(i ? say.comma : hint.textContent && " ", i ? "" : before, link, i < offered.length - 1 ? "" : after ?? "");
    });
    hint.hidden = !hint.textContent;
  }

  // nothing is what the page says where nothing is found.
  function nothing({ list, phrases }) {
    const short = list.length && !phrases.length && list.every((want) => !want.known && [...want.form].length < BEGINNING);
    return short ? filled(say.short, written(BEGINNING)) : say.none;
  }

  async function run(again) {
    const query = fields();
    if (current) current.abandoned = true;
    let search = current = {}; // what is shown or still loaded is not asked for any more
    remember(query);
    results.setAttribute("aria-busy", true);
    try {
      const begun = await begin(query);
      if (search !== current) return;
      search = current = begun;
      if (search.left.length) await show(search);
      else if (search.wants.length || query.from || query.to) clear(nothing(search));
      else clear(query.q.trim() && say.none);
    } catch {
      if (search !== current) return;
      close();
      if (!again) return run(true); // a site was published meanwhile, or the network failed once
      clear(say.failed);
    }
    if (search === current) results.setAttribute("aria-busy", false);
  }

  function clear(message) {
    results.replaceChildren();
    beside.hidden = true;
    ways.hidden = false;
    text(status, message);
    more.hidden = hint.hidden = true;
  }

  // remember keeps the query in the page's address.
  function remember(query) {
    try { history.replaceState(null, "", addressOf(query).replace(/\?$/u, "")); } catch { /* some browsers refuse it for files on a disk */ }
  }

  const choice = (value, label) => Object.assign(text(element("option"), label), { value });

  // prepare fills the lists of the form. The browser has dates to build and the index to read,
  // so each part is a task of its own: between them the page answers.
  async function prepare() {
    const pause = () => new Promise((go) => setTimeout(go));
    for (const name of ["from", "to"]) {
      await pause();
      form[name].type = "date";
    }
    await pause();
    try {
      const { folders, writers, kinds } = await open();
      await pause();
      form.folder.append(...(folders || []).map(([dir, title]) => choice(dir, (dir.includes("/") ? "– " : "") + title)));
      form.writer?.append(...(writers || []).map(([dir, name]) => choice(dir, name)));
      for (const option of [...form.kind.options]) if (option.value && !kinds.includes(option.value)) option.remove();
    } catch {
      close(); // a query tries again, and tells
    }
  }

  async function start() {
    const asked = new URLSearchParams(location.search);
    form.hidden = false;
    form.q.value = asked.get("q") ?? "";
    if (asked.size) ways.hidden = true; // what comes with the hits moves nothing
    else form.q.focus();
    const year = asked.get("year"); // of addresses before there were days
    if (/^\d{4}$/u.test(year)) ["from", "to"].forEach((name, i) => asked.set(name, year + ["-01-01", "-12-31"][i]));
    await prepare();
    for (const name of FIELD_NAMES) {
      const value = asked.get(name) ?? "", list = form[name].options;
      // What is asked for stays asked for, be it there or not.
      if (list && ![...list].some((o) => o.value === value)) form[name].append(choice(value, value));
      form[name].value = value;
    }
    foldFilters();
    if (asked.size) await run();
    else if (!current) results.setAttribute("aria-busy", false);
  }

  fold.addEventListener("click", () => {
    fold.ariaExpanded = String(form.classList.toggle("open"));
  });
  let typing;
  form.addEventListener("input", () => {
    foldFilters();
    clearTimeout(typing);
    typing = setTimeout(run, 120);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(typing);
    run();
  });
  more.addEventListener("click", async () => {
    if (results.ariaBusy === "true") return;
    const search = current, next = results.children.length;
    results.setAttribute("aria-busy", true);
    try {
      await show(search);
      if (search === current) results.children[next]?.querySelector("a").focus();
    } catch {
      if (search === current) text(status, say.failed);
    }
    if (search === current) results.setAttribute("aria-busy", false);
  });
  // The arrow keys go through the hits.
  document.addEventListener("keydown", (event) => {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [form.q, ...results.querySelectorAll("a")];
    const at = stops.indexOf(document.activeElement);
    if (!way || at < 0 || !stops[at + way]) return;
    event.preventDefault();
    stops[at + way].focus();
  });

  start();
})();
