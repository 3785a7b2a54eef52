// The search page. It loads of the index what a query needs, as scripts, which
// also works for a site in a folder on a disk. docs/search.md explains the
// index, which generator/search makes, and what a query loads of it at most.
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
    const [version, ...data] = await load(name, segment.version);
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

  const MOST_WORDS = 6, BEGINNING = 3, SURE = 4;
  const ROWS = 20; // in a file
  const ELSEWHERE = 1, VAGUELY = 2, NOWHERE = 255;

  function wants(query) {
    const list = [];
    const key = query.folder && (catalog.folders?.find(([dir]) => dir === query.folder)?.[2] ?? "");
    for (const [sign, value] of [["=f", key], ["=k", query.kind], ["=y", query.year]]) {
      if (value || (sign === "=f" && query.folder)) list.push({ term: sign + value, filter: true });
    }
    for (const term of [...new Set(terms(query.q))].slice(0, MOST_WORDS)) {
      const n = [...term].length;
      list.push({ term, beginning: n >= BEGINNING && n < LETTERS, sure: n >= SURE });
    }
    return list;
  }

  function matches(want, term) {
    return term === want.term || (want.beginning && term.startsWith(want.term));
  }

  // filesOf returns which files of a segment may hold the wanted. Words with a
  // beginning lie in two of them, or their beginning does.
  function filesOf(want, firsts) {
    let i = 0;
    while (i + 1 < firsts.length && firsts[i + 1] <= want.term) i++;
    return want.beginning && firsts[i + 1]?.startsWith(want.term) ? [i, i + 1] : [i];
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
  // Words are looked up where something passes the filters.
  async function gradesOf({ segment, means }) {
    const worst = new Uint8Array(segment.items);
    let loaded = 0;
    for (const some of [means.filter((m) => m.want.filter), means.filter((m) => !m.want.filter)]) {
      if (loaded && !worst.some((grade) => grade !== NOWHERE)) break;
      await Promise.all(some.map(async ({ want, files, cost }) => {
        const grades = new Uint8Array(segment.items).fill(NOWHERE);
        for (const [file] of await Promise.all(files.map((i) => part(segment.number + "/" + i, segment)))) grade(want, file, grades);
        for (let i = 0; i < worst.length; i++) worst[i] = Math.max(worst[i], grades[i]);
        loaded += cost;
      }));
    }
    return { grades: worst, loaded };
  }

  // ---- A search: segment by segment, the newest first

  // What a page of results loads at most, in bytes beside the catalog; of that,
  // rows; and a segment's head.
  const MOST = 289_000, MOST_ROWS = 120_000, HEAD = 11_200;
  const UNIT = 256; // of the sizes in a head
  const TOGETHER = 6; // segments that make a stage
  const AT_ONCE = 48_000; // bytes of files of terms that are loaded side by side
  const SHOWN = 10; // hits at a time

  function begin(query) {
    const list = wants(query);
    return { wants: list, left: list.length ? catalog.segments.slice() : [], stage: [], numbers: [], vague: [[], []], shown: 0, searched: 0 };
  }

  const done = (search) => !search.left.length && !search.stage.length;

  // plan reads a segment's head, and finds out which files are to be loaded.
  async function plan(segment, list) {
    const [firsts, sizes] = await part(String(segment.number), segment);
    const counted = new Set();
    const means = list.map((want) => {
      const files = filesOf(want, firsts.split("|"));
      const cost = sum(files.filter((i) => !counted.has(i)), (i) => DIGITS.indexOf(sizes[i]) * UNIT);
      files.forEach((i) => counted.add(i));
      return { want, files, cost };
    });
    return { segment, means, cost: sum(means, (m) => m.cost), head: new TextEncoder().encode(firsts + sizes).length + 48 };
  }

  const sum = (list, number) => list.reduce((all, one) => all + number(one), 0);

  // look searches until so many items are found, or so many bytes loaded.
  async function look(search, enough, most) {
    let loaded = 0, searched = false;
    while (search === current && search.numbers.length < enough && !done(search)) {
      if (!search.stage.length) {
        const next = search.left.slice(-TOGETHER).reverse();
        if (searched && loaded + next.length * HEAD > most) break;
        search.stage = await Promise.all(next.map((segment) => plan(segment, search.wants)));
        search.left.length -= next.length;
        loaded += sum(search.stage, (s) => s.head);
      }
      let n = 0, cost = 0;
      while (n < search.stage.length && (n === 0 || cost + search.stage[n].cost <= AT_ONCE)) cost += search.stage[n++].cost;
      if (searched && loaded + cost > most) break;
      searched = true;
      const parts = search.stage.slice(0, n);
      const found = await Promise.all(parts.map(gradesOf));
      search.stage.splice(0, n);
      loaded += sum(found, (f) => f.loaded);
      parts.forEach(({ segment }, i) => note(search, segment, found[i].grades));
      if (!search.stage.length) settle(search);
    }
    if (search.numbers.length < enough) settle(search);
  }

  function settle(search) {
    search.numbers = search.numbers.concat(...search.vague);
    search.vague = [[], []];
  }

  // note adds what a segment holds, the newest first.
  function note(search, segment, grades) {
    const sorted = [[], [], ...search.vague];
    for (let p = grades.length - 1; p >= 0; p--) {
      if (grades[p] !== NOWHERE) sorted[grades[p]].push(segment.first + p);
    }
    search.numbers = search.numbers.concat(sorted[0], sorted[ELSEWHERE]);
    search.searched += segment.items;
  }

  async function row(number) {
    const segment = catalog.segments.findLast((s) => s.first <= number);
    const [rows, folders] = await load("rows/" + Math.floor(number / ROWS), segment.version);
    const [address, title, date, kind, folder] = rows[number % ROWS];
    return { address, title, date, kind, folder: folders[folder] };
  }

  // next returns the next hits of a search.
  async function next(search) {
    const size = Math.max(1, catalog.rows), most = Math.max(1, Math.min(SHOWN, Math.floor(MOST_ROWS / size)));
    await look(search, search.shown + most, MOST - most * size);
    return Promise.all(search.numbers.slice(search.shown, search.shown + most).map(row));
  }

  // ---- The page

  const form = document.getElementById("search");
  const found = document.getElementById("found");
  const results = document.getElementById("results");
  const more = document.getElementById("more");
  const say = form.dataset;
  let current; // the search that is shown

  const text = (element, content) => { element.textContent = content; return element; };
  const written = (number) => number.toLocaleString(document.documentElement.lang);
  const fields = () => Object.fromEntries(new FormData(form));

  function result(item) {
    const entry = document.createElement("li"), head = document.createElement("h2"), link = document.createElement("a");
    link.href = say.root + item.address;
    link.dir = "auto";
    head.append(text(link, item.title));
    entry.append(head);
    const meta = document.createElement("p");
    meta.className = "meta";
    const kind = item.kind > 0 && form.kind.options[item.kind + 1];
    const date = item.date && `${item.date % 100} ${say.months.split(" ")[Math.floor(item.date / 100) % 100 - 1]} ${Math.floor(item.date / 10000)}`;
    for (const [tag, content] of [["bdi", item.folder], ["b", kind && kind.text], ["span", date]]) {
      if (content) meta.append(text(document.createElement(tag), content), " ");
    }
    entry.append(meta);
    return entry;
  }

  // show adds the next hits of a search to the page.
  async function show(search) {
    const rows = await next(search);
    if (search !== current) return;
    if (!search.shown) results.replaceChildren();
    results.append(...rows.map(result));
    search.shown += rows.length;
    const all = done(search), count = search.numbers.length + sum(search.vague, (list) => list.length);
    text(found, (!all ? say.newest : count ? say.found : say.none).replace("%d", written(count)).replace("%s", written(search.searched)));
    text(more, search.shown < search.numbers.length ? say.more : say.older);
    more.hidden = all && search.shown === count;
  }

  async function run(again) {
    const query = fields();
    let search = current = {}; // what is shown or still loaded is not asked for any more
    remember(query);
    results.setAttribute("aria-busy", true);
    try {
      await openIndex();
      if (search !== current) return;
      search = current = begin(query);
      if (search.wants.length) await show(search);
      else clear(query.q.trim() && say.none);
    } catch {
      if (search !== current) return;
      forgetIndex();
      if (!again) return run(true); // a site was published meanwhile, or the network failed once
      clear(say.failed);
    }
    if (search === current) results.setAttribute("aria-busy", false);
  }

  function clear(message) {
    results.replaceChildren();
    text(found, message);
    more.hidden = true;
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
        choice(form.folder, dir, (depth ? "– " : "") + title);
      }
      for (const year of years || []) choice(form.year, year, year);
    } catch {
      forgetIndex(); // a query tries again, and tells
    }
    for (const name of ["folder", "kind", "year"]) {
      const value = asked.get(name) ?? "";
      // What is asked for stays asked for, be it there or not.
      if (![...form[name].options].some((o) => o.value === value)) choice(form[name], value, value);
      form[name].value = value;
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
    if (results.ariaBusy === "true") return;
    const search = current, next = results.children.length;
    results.setAttribute("aria-busy", true);
    try {
      await show(search);
      if (search === current) results.children[next]?.querySelector("a").focus();
    } catch {
      if (search === current) text(found, say.failed);
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
  return Object.assign(arrived, { terms }); // for the index, and for tests
})();
