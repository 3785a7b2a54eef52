// The search page. It loads of the index what a query needs, as scripts, which
// also works for a site in a folder on a disk. docs/search.md explains the
// index, which generator/search makes, and what a query loads of it at most.
"use strict";

const ayna = (() => {
  // ---- Words, as the index has them

  const LETTERS = 24; // of a word that the index distinguishes
  const ENDINGS = 6; // that are cut off one after the other
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

  // words returns the folded words of a text, and where they are in it.
  function words(text) {
    const found = [];
    let word = [], ending = false, from = 0, at = 0;
    const end = () => {
      if (word.length) found.push({ word: word.join(""), from, to: at });
      word = [];
      ending = false;
    };
    for (const letter of text) {
      if ("'`´‘’ʼ′＇".includes(letter)) {
        ending ||= word.length > 1 || (word.length === 1 && /\p{N}/u.test(word[0]));
      } else {
        for (const c of fold(letter)) {
          if (!/[\p{L}\p{N}]/u.test(c)) end();
          else if (!ending && word.length < LETTERS) {
            if (!word.length) from = at;
            word.push(c);
          }
        }
      }
      at += letter.length;
    }
    end();
    return found;
  }

  let endings = []; // [text, letters that must remain], the longest first

  function readEndings(table) {
    endings = [];
    let remain = 0;
    for (const text of table.split(" ").filter(Boolean)) {
      if (/\d/.test(text)) remain = Number(text);
      else endings.push([text, remain]);
    }
    endings.sort((a, b) => b[0].length - a[0].length);
  }

  // stem returns the term of a folded word, in which its forms are found.
  function stem(word) {
    if (!endings.length || !/^[a-z]+$/.test(word)) return word;
    for (let i = 0; i < ENDINGS; i++) {
      const found = endings.find(([text, remain]) => word.length - text.length >= remain && word.endsWith(text));
      if (!found) break;
      word = word.slice(0, -found[0].length);
    }
    const last = word.at(-1);
    return word.length > 3 && SOFT[last] ? word.slice(0, -1) + SOFT[last] : word;
  }

  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const PAIRS = 2048;

  // pair returns the term that an item has if the one word follows the other.
  function pair(first, second) {
    const hash = (word) => {
      let h = 2166136261;
      for (let i = 0; i < word.length; i++) h = Math.imul(h ^ word.charCodeAt(i), 16777619);
      return h >>> 0 || 1;
    };
    const both = (Math.imul(hash(first), 31) + hash(second)) >>> 0;
    const list = (both ^ (both >>> 16)) & (PAIRS - 1);
    return "=p" + DIGITS[list >> 6] + DIGITS[list & 63];
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
        const address = "index" + (name && "." + name) + ".js";
        const request = (src, failed) => {
          const script = document.createElement("script");
          script.onload = () => { script.remove(); reject(new Error(name + " is damaged")); };
          script.onerror = () => { script.remove(); failed(); };
          script.src = src;
          document.head.append(script);
        };
        calls.set(name, resolve);
        // Web archives have the address without what is there for caches.
        request(address + "?" + version, () => request(address, () => {
          files.delete(name);
          reject(new Error(name + " cannot be loaded"));
        }));
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
    readEndings(data.endings || "");
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

  const MOST_WORDS = 6, MOST_PAIRS = 3, BEGINNING = 3;
  const FIELDS = 3; // title, spot and names, text; what only begins as wanted comes after them
  const RANKS = 2 * FIELDS, NOWHERE = 255;

  // "Words in quotes" and -words; others are of no sort.
  const PARTS = /(-?)["“”„«»]([^"“”„«»]*)["“”„«»]?|(-?)([^ \t\r\n\u00a0"“”„«»]+)/gu;

  // parse returns what is wanted: terms, and phrases as lists of words.
  function parse(query) {
    const wants = [], phrases = [];
    const key = query.folder && (catalog.folders?.find(([dir]) => dir === query.folder)?.[2] ?? "");
    for (const [sign, value] of [["=f", key], ["=k", query.kind], ["=y", query.year]]) {
      if (value || (sign === "=f" && query.folder)) wants.push({ term: sign + value, filter: true });
    }
    const list = [], pairs = [];
    let last;
    for (const [, minus, quoted, sign, plain] of query.q.matchAll(PARTS)) {
      const found = words(quoted ?? plain).map(({ word }) => word), not = Boolean(minus || sign);
      last = undefined;
      for (const word of found) {
        const want = { term: stem(word), not };
        if (list.length === MOST_WORDS || list.some((other) => other.term === want.term && other.not === not)) continue;
        list.push(want);
        if (!not && plain && word === found.at(-1) && [...word].length >= BEGINNING) last = [want, word];
      }
      if (quoted === undefined || not || found.length < 2) continue;
      phrases.push(found);
      for (let i = 1; i < found.length && pairs.length < MOST_PAIRS; i++) {
        const term = pair(found[i - 1], found[i]);
        if (!pairs.some((other) => other.term === term)) pairs.push({ term, pair: true });
      }
    }
    if (last) last[0].begins = last[1];
    if (!wants.length && list.every((want) => want.not)) return { wants: [], phrases };
    return { wants: [...wants, ...list, ...pairs], phrases };
  }

  // filesOf returns which files of a segment may hold the wanted. Words with a
  // beginning lie in two of them, or their beginning does.
  function filesOf(want, firsts) {
    const file = (term) => {
      let i = 0;
      while (i + 1 < firsts.length && firsts[i + 1] <= term) i++;
      return i;
    };
    const found = [file(want.term)];
    if (want.begins) {
      const i = file(want.begins);
      found.push(i);
      if (firsts[i + 1]?.startsWith(want.begins)) found.push(i + 1);
    }
    return [...new Set(found)];
  }

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
      const [term, ...lists] = entry.split(" ");
      if (term !== want.term && !(want.begins && term.startsWith(want.begins))) continue;
      const first = term === want.term ? 0 : FIELDS;
      lists.forEach((list, field) => each(list, (p) => { grades[p] = Math.min(grades[p], first + field); }));
    }
  }

  // gradesOf returns of each item of a segment how well it has all that is wanted.
  // Words are looked up where something passes the filters.
  async function gradesOf({ segment, means }) {
    const worst = new Uint8Array(segment.items);
    let loaded = 0;
    for (const some of [means.filter((m) => m.want.filter), means.filter((m) => !m.want.filter)]) {
      if (loaded && !worst.some((grade) => grade !== NOWHERE)) break;
      await Promise.all(some.map(async ({ want, files, cost }) => {
        const grades = new Uint8Array(segment.items).fill(NOWHERE);
        for (const [file] of await Promise.all(files.map((i) => part(segment.number + "/" + i, segment)))) grade(want, file, grades);
        for (let i = 0; i < worst.length; i++) {
          const found = want.not ? (grades[i] === NOWHERE ? 0 : NOWHERE) : grades[i];
          worst[i] = Math.max(worst[i], found);
        }
        loaded += cost;
      }));
    }
    return { grades: worst, loaded };
  }

  // ---- A search: stage by stage of segments, the newest first

  // What a page of results loads at most, in bytes beside the catalog; of that, items
  // if there are enough hits; and of these one file.
  const MOST = 289_000, MOST_ITEMS = 120_000, ITEMS_FILE = 16_100;
  const HEADS = 36_000; // bytes of heads of a stage, by how large they usually are
  const UNIT = 256; // of the sizes in a head
  const AT_ONCE = 48_000; // bytes of files of terms that are loaded side by side
  const SHOWN = 10; // hits at a time

  const headOf = (segment) => 60 + 8 * (16 + Math.ceil(segment.items / 8));

  function begin(query) {
    const { wants, phrases } = parse(query);
    return {
      wants, phrases, left: wants.length ? catalog.segments.slice() : [], stage: [],
      ranks: Array.from({ length: RANKS }, () => []), numbers: [], at: 0, rejected: 0, shown: 0, searched: 0,
    };
  }

  const done = (search) => !search.left.length && !search.stage.length;
  const waiting = (search) => search.numbers.length - search.at;
  const sum = (list, number) => list.reduce((all, one) => all + number(one), 0);

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
    return { segment, means, cost: sum(means, (m) => m.cost), head: new TextEncoder().encode(firsts + sizes).length + 60 };
  }

  // look searches until so many items are found, or so many bytes loaded. It returns
  // how many it has loaded.
  async function look(search, enough, most) {
    let loaded = 0, searched = false;
    while (search === current && waiting(search) < enough && !done(search)) {
      if (!search.stage.length) {
        const next = [search.left.at(-1)];
        let heads = headOf(next[0]);
        for (const segment of search.left.slice(0, -1).reverse()) {
          heads += headOf(segment);
          if (heads > HEADS) break;
          next.push(segment);
        }
        if (searched && loaded + sum(next, headOf) > most) break;
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
    if (waiting(search) < enough) settle(search);
    return loaded;
  }

  // settle puts what a stage has found into its order.
  function settle(search) {
    search.numbers = search.numbers.concat(...search.ranks);
    search.ranks = search.ranks.map(() => []);
  }

  // note adds what a segment holds, the newest first.
  function note(search, segment, grades) {
    for (let p = grades.length - 1; p >= 0; p--) {
      if (grades[p] !== NOWHERE) search.ranks[grades[p]].push(segment.first + p);
    }
    search.searched += segment.items;
  }

  // ---- Items

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();
  }

  async function itemOf(number) {
    const segment = catalog.segments.findLast((s) => s.first <= number);
    const file = Math.floor(number / catalog.items);
    const data = await load("items/" + file, segment.version);
    const packed = data.at(-1);
    data.rows ??= unpack(packed);
    const [address, title, date, kind, folder, picture, names, lines, whole] = (await data.rows)[number % catalog.items];
    return { address, title, date, kind, folder, picture, names, lines, whole, file, size: packed.length + 60 };
  }

  // holds returns whether an item has a phrase in one line; of a text that the index
  // does not have whole, its pairs of words have to do.
  function holds(item, phrase) {
    return !item.whole || [item.title, ...item.names.split("\n"), ...item.lines.split("\n")].some((line) => {
      const list = words(line);
      return list.some((_, i) => phrase.every((word, j) => list[i + j]?.word === word));
    });
  }

  // next returns the next hits of a search.
  async function next(search) {
    let room = MOST - await look(search, SHOWN, MOST - MOST_ITEMS);
    const hits = [], counted = new Set();
    while (hits.length < SHOWN && waiting(search)) {
      const n = Math.min(SHOWN - hits.length, Math.floor(room / ITEMS_FILE));
      if (n < 1) break;
      const items = await Promise.all(search.numbers.slice(search.at, search.at + n).map(itemOf));
      search.at += items.length;
      for (const item of items) {
        if (!counted.has(item.file)) room -= item.size;
        counted.add(item.file);
        if (search.phrases.every((phrase) => holds(item, phrase))) hits.push(item);
        else search.rejected++;
      }
    }
    return hits;
  }

  // ---- Excerpts

  const BEFORE = 60, EXCERPT = 220; // letters

  // marksOf returns the words of a text that are looked for.
  function marksOf(text, wants) {
    return words(text).flatMap(({ word, from, to }) => {
      const term = stem(word);
      const want = wants.findIndex((w) => !w.not && (w.term === term || (w.begins && term.startsWith(w.begins))));
      return want < 0 ? [] : [{ want, from, to }];
    });
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
    if (to < text.length) element.append(" …");
    return element;
  }

  // ---- The page

  const form = document.getElementById("search");
  const status = document.getElementById("found");
  const results = document.getElementById("results");
  const more = document.getElementById("more");
  const say = form.dataset;
  let current; // the search that is shown

  const text = (element, content) => { element.textContent = content; return element; };
  const written = (number) => number.toLocaleString(document.documentElement.lang);
  // A date as the language writes it; the pattern is of the CLDR, such as "d. MMMM y".
  const figures = (number, letters) => number.toLocaleString(document.documentElement.lang, { useGrouping: false, minimumIntegerDigits: Math.min(letters.length, 2) });
  const day = (year, month, date) => say.date.replace(/'([^']*)'|y+|[ML]+|d+/g, (field, literal) => {
    if (literal !== undefined) return literal;
    if (field[0] === "y") return figures(year, "y");
    if (field[0] === "d") return figures(date, field);
    return field.length > 2 ? say.months.split("|")[month - 1] : figures(month, field);
  });
  const fields = () => Object.fromEntries(new FormData(form));

  const element = (tag, name) => Object.assign(document.createElement(tag), { className: name || "" });

  const KINDS = ["article", "column", "gallery", "video"]; // by their numbers in files of items

  function result(item, wants) {
    const entry = element("li"), head = element("h2"), link = element("a");
    link.href = say.root + item.address;
    link.dir = "auto";
    head.append(marked(link, item.title, marksOf(item.title, wants)));
    const meta = element("p", "meta");
    const kind = item.kind > 0 && [...form.kind.options].find((o) => o.value === KINDS[item.kind]);
    const date = item.date && day(Math.floor(item.date / 10000), Math.floor(item.date / 100) % 100, item.date % 100);
    for (const [tag, content] of [["bdi", item.folder], ["span", kind && kind.text], ["span", date]]) {
      if (content) meta.append(text(element(tag), content), " ");
    }
    entry.append(head, meta);
    if (item.lines) entry.append(excerpt(Object.assign(element("p", "spot"), { dir: "auto" }), item, wants));
    if (item.picture) {
      const picture = Object.assign(element("img"), { alt: "", loading: "lazy", width: 120, height: 80 });
      picture.src = /^https?:/.test(item.picture) ? item.picture : say.root + item.picture;
      entry.append(picture);
    }
    return entry;
  }

  // show adds the next hits of a search to the page.
  async function show(search) {
    const items = await next(search);
    if (search !== current) return;
    if (!search.shown) results.replaceChildren();
    results.append(...items.map((item) => result(item, search.wants)));
    search.shown += items.length;
    const all = done(search), count = search.numbers.length + sum(search.ranks, (list) => list.length) - search.rejected;
    const open = waiting(search) > 0, found = !all ? say.newest : !count ? say.none : open && search.phrases.length ? say.most : say.found;
    text(status, found.replace("%d", written(count)).replace("%s", written(search.searched)));
    text(more, open ? say.more : say.older);
    more.hidden = all && !open;
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
    text(status, message);
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
      const { folders, kinds, years } = await openIndex();
      for (const [dir, title] of folders || []) {
        const depth = dir.split("/").length - 1;
        choice(form.folder, dir, (depth ? "– " : "") + title);
      }
      for (const option of [...form.kind.options]) if (option.value && !kinds.includes(option.value)) option.remove();
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
  return Object.assign(arrived, { terms: (text) => words(text).map(({ word }) => stem(word)) }); // for the index, and for tests
})();
