// The search page. It loads of the index what a query needs, as scripts, which
// also works for a site in a folder on a disk. docs/search.md explains the
// index; generator/search makes it, and reads it by the same rules as this file.
"use strict";

const ayna = (() => {
  // ---- Words, as the index has them

  const LETTERS = 5;
  const SOFT = { p: "b", t: "d", k: "g" };

  function fold(letter) {
    if (letter === "ı" || letter === "İ") return "i";
    let folded = "";
    for (const c of letter.normalize("NFKD")) {
      if (/[\p{M}\p{Cf}ʼ]/u.test(c)) continue;
      folded += c === "ς" ? "σ" : c.toLowerCase();
    }
    return folded;
  }

  function terms(text) {
    const found = [];
    let word = [], ending = false;
    const end = () => {
      if (word.length === LETTERS) word[LETTERS - 1] = SOFT[word[LETTERS - 1]] || word[LETTERS - 1];
      if (word.length) found.push(word.join(""));
      word = [];
      ending = false;
    };
    for (const letter of text) {
      if ("'`´‘’ʼ′＇".includes(letter)) {
        ending ||= word.length > 1 || (word.length === 1 && /\p{N}/u.test(word[0]));
        continue;
      }
      for (const c of fold(letter)) {
        if (!/[\p{L}\p{N}]/u.test(c)) end();
        else if (!ending && word.length < LETTERS) word.push(c);
      }
    }
    end();
    return found;
  }

  // ---- Files of the index

  const calls = new Map(); // name of a file to what waits for it
  const files = new Map(); // name of a file to a promise of its data

  // Every file of the index calls this.
  function arrived(name, ...data) {
    calls.get(name)?.(data);
  }

  function load(name, version) {
    if (!files.has(name)) {
      files.set(name, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        calls.set(name, resolve);
        script.onload = () => { script.remove(); reject(new Error(name + " is damaged")); };
        script.onerror = () => { script.remove(); files.delete(name); reject(new Error(name + " cannot be loaded")); };
        script.src = "index" + (name && "." + name) + ".js?" + version;
        document.head.append(script);
      }));
    }
    return files.get(name);
  }

  // part loads a file of a segment. Another version than the catalog's is of a
  // site that was published meanwhile.
  async function part(name, segment) {
    const [version, data] = await load(name, segment.version);
    if (version !== segment.version) throw new Error(name + " was replaced");
    return data;
  }

  let catalog;

  async function openIndex() {
    if (catalog) return catalog;
    const [data] = await load("", Date.now());
    let first = 0;
    data.segments = (data.segments || []).map((s, number) => {
      const segment = { ...s, number, first };
      first += s.items;
      return segment;
    });
    catalog = data;
    return catalog;
  }

  function forgetIndex() {
    catalog = undefined;
    files.clear();
    calls.clear();
  }

  // ---- Queries

  const MOST_WORDS = 6, BEGINNING = 3, SURE = 4, TOGETHER = 4, ROWS = 50;
  const ELSEWHERE = 1, VAGUELY = 2, NOWHERE = 255;

  function wants(query) {
    const list = [...new Set(terms(query.q))].slice(0, MOST_WORDS).map((term) => {
      const n = [...term].length;
      return { term, beginning: n >= BEGINNING && n < LETTERS, sure: n >= SURE };
    });
    for (const [sign, name] of [["=f", query.folder], ["=k", query.kind], ["=y", query.year]]) {
      if (name) list.push({ term: sign + name });
    }
    return list;
  }

  function matches(want, term) {
    return term === want.term || (want.beginning && term.startsWith(want.term));
  }

  // partsOf returns which files of a segment may hold the wanted.
  function partsOf(want, firsts) {
    let first = 0, last = 0;
    while (last < firsts.length && (firsts[last] <= want.term || matches(want, firsts[last]))) {
      if (firsts[last] <= want.term) first = last;
      last++;
    }
    return Array.from({ length: last - first }, (_, i) => first + i);
  }

  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  function each(text, position) {
    const value = (i) => Math.max(0, DIGITS.indexOf(text[i]));
    if (text[0] === "!") {
      for (let i = 1; i < text.length; i++) {
        for (let six = value(i), bit = 0; six; six >>= 1, bit++) if (six & 1) position(6 * (i - 1) + bit);
      }
      return;
    }
    for (let i = 0, next = 0, gap = 0, shift = 0; i < text.length; i++) {
      gap |= (value(i) & 31) << shift;
      shift += 5;
      if (value(i) < 32) {
        position(next + gap);
        next += gap + 1;
        gap = shift = 0;
      }
    }
  }

  function grade(want, file, grades) {
    for (const entry of file.split("|")) {
      const [term, title, other] = entry.split(" ");
      if (!matches(want, term)) continue;
      const found = want.sure || term === want.term ? 0 : VAGUELY;
      each(title || "", (p) => { grades[p] = Math.min(grades[p], found); });
      each(other || "", (p) => { grades[p] = Math.min(grades[p], found + ELSEWHERE); });
    }
  }

  // gradesOf says of each item of a segment how well it has all that is wanted.
  async function gradesOf(segment, list) {
    const firsts = await part(String(segment.number), segment);
    const worst = new Uint8Array(segment.items);
    await Promise.all(list.map(async (want) => {
      const grades = new Uint8Array(segment.items).fill(NOWHERE);
      const parts = partsOf(want, firsts).map((i) => part(segment.number + "/" + i, segment));
      for (const file of await Promise.all(parts)) grade(want, file, grades);
      for (let i = 0; i < worst.length; i++) worst[i] = Math.max(worst[i], grades[i]);
    }));
    return worst;
  }

  // older searches the next older segments of a search, and adds what they hold.
  async function older(search) {
    const segments = search.left.splice(-TOGETHER).reverse();
    const all = await Promise.all(segments.map((s) => gradesOf(s, search.wants)));
    for (let wanted = 0; wanted <= VAGUELY + ELSEWHERE; wanted++) {
      all.forEach((grades, i) => {
        for (let p = grades.length - 1; p >= 0; p--) {
          if (grades[p] === wanted) search.numbers.push(segments[i].first + p);
        }
      });
    }
  }

  async function row(number) {
    const segment = catalog.segments.findLast((s) => s.first <= number);
    const [rows] = await load("rows/" + Math.floor(number / ROWS), segment.version);
    const [address, title, date, kind, folder] = rows[number % ROWS];
    return { address, title, date, kind, folder: folder ?? address.split("/").slice(0, -1).join("/") };
  }

  // ---- The page

  const SHOWN = 10; // hits at a time

  const form = document.getElementById("search");
  const found = document.getElementById("found");
  const results = document.getElementById("results");
  const more = document.getElementById("more");
  const say = form.dataset;
  let current; // the search that is shown

  const text = (element, content) => { element.textContent = content; return element; };
  const fields = () => Object.fromEntries(new FormData(form));

  function result(item) {
    const entry = document.createElement("li"), head = document.createElement("h2"), link = document.createElement("a");
    link.href = say.root + item.address;
    link.dir = "auto";
    head.append(text(link, item.title));
    entry.append(head);
    const meta = document.createElement("p");
    meta.className = "meta";
    const folder = catalog.folders?.find(([dir]) => dir === item.folder);
    const kind = item.kind > 0 && form.kind.options[item.kind + 1];
    const date = item.date && `${item.date % 100} ${say.months.split(" ")[Math.floor(item.date / 100) % 100 - 1]} ${Math.floor(item.date / 10000)}`;
    for (const [tag, content] of [["bdi", folder && folder[1]], ["b", kind && kind.text], ["span", date]]) {
      if (content) meta.append(text(document.createElement(tag), content), " ");
    }
    entry.append(meta);
    return entry;
  }

  // show adds the next hits of a search to the page.
  async function show(search) {
    while (search.numbers.length < search.shown + SHOWN && search.left.length) await older(search);
    const rows = await Promise.all(search.numbers.slice(search.shown, search.shown + SHOWN).map(row));
    if (search !== current) return;
    if (!search.shown) results.replaceChildren();
    results.append(...rows.map(result));
    search.shown += rows.length;
    const count = search.numbers.length;
    text(found, (!count ? say.none : search.left.length ? say.least : say.found).replace("%d", count));
    more.hidden = search.shown >= count && !search.left.length;
  }

  async function run(again) {
    const query = fields(), list = wants(query);
    const search = current = { wants: list, numbers: [], shown: 0, left: [] };
    remember(query);
    if (!list.length) {
      results.replaceChildren();
      text(found, "");
      more.hidden = true;
      results.setAttribute("aria-busy", false);
      return;
    }
    results.setAttribute("aria-busy", true);
    try {
      search.left = [...(await openIndex()).segments];
      await show(search);
    } catch (failure) {
      if (search !== current) return;
      forgetIndex();
      if (!again) return run(true); // a site was published meanwhile, or the network failed once
      results.replaceChildren();
      more.hidden = true;
      text(found, say.failed);
    }
    if (search === current) results.setAttribute("aria-busy", false);
  }

  // remember keeps the query in the page's address.
  function remember(query) {
    const kept = new URLSearchParams(Object.entries(query).filter(([, value]) => value.trim())).toString();
    const address = location.pathname + (kept && "?" + kept);
    try { history.replaceState(null, "", address); } catch { /* some browsers refuse it for files on a disk */ }
  }

  function choice(list, value, label) {
    const option = text(document.createElement("option"), label);
    option.value = value;
    list.append(option);
  }

  async function start() {
    const asked = new URLSearchParams(location.search);
    form.hidden = false;
    form.q.value = asked.get("q") ?? "";
    try {
      const { folders, years } = await openIndex();
      for (const [dir, title] of folders || []) {
        const depth = dir.split("/").length - 1;
        if (depth < 2) choice(form.folder, dir, (depth ? "– " : "") + title);
      }
      for (const year of years || []) choice(form.year, year, year);
    } catch {
      forgetIndex(); // a query tries again, and tells
    }
    for (const name of ["folder", "kind", "year"]) {
      const value = asked.get(name) ?? "";
      if ([...form[name].options].some((o) => o.value === value)) form[name].value = value;
    }
    await run();
  }

  let typing;
  form.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(run, 120);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(typing);
    run();
  });
  more.addEventListener("click", async () => {
    const search = current, next = results.children.length;
    try {
      await show(search);
      results.children[next]?.querySelector("a").focus();
    } catch {
      text(found, say.failed);
    }
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
  return Object.assign(arrived, { terms }); // for the index, and for tests
})();
