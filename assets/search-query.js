// Queries of the search page, and what they find. generator/search describes the files.
"use strict";

(() => {
  const { normal, words, pair, part, load, lookUp, fileIn, shared, DIGITS, BEGINNING } = ayna;

  // ---- Queries

  const MOST_WORDS = 6, MOST_PAIRS = 3;
  const FIELDS = 3; // title, spot and names, text
  const FORM = 0, GROUP = 1, BEGUN = 2; // the word as it is, its other forms, longer words
  const RANKS = 3 * FIELDS, NOWHERE = 255;

  // "Words in quotes" and -words; others are of no sort.
  const PARTS = /(-?)["“”„«»「」]([^"“”„«»「」]*)["“”„«»「」]?|(-?)([^ \t\r\n\u00a0\u3000"“”„«»「」]+)/gu;

  let catalog;

  // parse returns what is wanted: terms, and phrases as lists of words.
  async function parse(query) {
    const filters = [], list = [], pairs = [], phrases = [];
    const keyOf = (lists, dir) => lists?.find(([other]) => other === dir)?.[2] ?? "";
    for (const [sign, asked, key] of [
      ["=f", query.folder, keyOf(catalog.folders, query.folder)], ["=k", query.kind, query.kind], ["=w", query.writer, keyOf(catalog.writers, query.writer)],
    ]) if (asked) filters.push({ terms: [sign + key], form: sign + key, filter: true });
    let last;
    for (const match of normal(query.q).matchAll(PARTS)) {
      if (list.length === MOST_WORDS) break;
      const [all, minus, quoted, sign, plain] = match, text = quoted ?? plain;
      const not = Boolean(minus || sign), very = quoted !== undefined, at = match.index + all.indexOf(text);
      const found = words(text).filter((w) => !w.tail);
      last = undefined;
      for (const { word, from, to, unspaced } of found) {
        if (list.length === MOST_WORDS) break;
        if (list.some((other) => other.form === word && other.not === not && other.very === very)) continue;
        const want = { form: word, written: text.slice(from, to), at: at + from, not, very, unspaced, forms: new Set(), known: true };
        list.push(want);
        const letters = [...word].length;
        if (unspaced && letters === 1) want.begins = word;
        else if (!not && !very && !unspaced && word === found.at(-1).word && letters >= BEGINNING) last = want;
      }
      if (not) continue;
      for (const run of runs(found)) {
        const wanted = list.filter((want) => !want.not && run.some((w) => w.word === want.form));
        for (const want of wanted) want.pairs = Math.min(want.pairs ?? MOST_WORDS, wanted.length);
      }
      for (const phrase of very ? [found] : runs(found)) {
        if (phrase.length < 2) continue;
        phrases.push(phrase.map((w) => w.word));
        for (let i = 1; i < phrase.length && pairs.length < MOST_PAIRS; i++) {
          if (phrase[i - 1].unspaced || phrase[i].unspaced) continue;
          const term = pair(phrase[i - 1].word, phrase[i].word);
          if (!pairs.some((other) => other.form === term)) pairs.push({ terms: [term], form: term });
        }
      }
    }
    if (last) last.begins = last.form;
    const positive = list.filter((want) => !want.not);
    positive.forEach((want) => { want.several = positive.length > 1; });
    await Promise.all(list.map(lookUp));
    if (!filters.length && !query.from && !query.to && list.every((want) => want.not)) return { wants: [], phrases, list };
    return { wants: [...filters, ...list, ...pairs], phrases, list };
  }

  // runs returns the runs of letters without blanks among words.
  function runs(found) {
    const all = [];
    found.forEach((w, i) => {
      if (w.unspaced && found[i - 1]?.unspaced && found[i - 1].to > w.from) all.at(-1).push(w);
      else all.push([w]);
    });
    return all.filter(([w]) => w.unspaced);
  }

  // filesOf returns which files of a segment may hold the wanted. What begins as it does lies
  // in two of them, or its beginning does.
  function filesOf(want, firsts) {
    const found = want.terms.flatMap((term) => [fileIn(firsts, term), fileIn(firsts, term + "!" + want.form)]);
    if (want.begins) {
      const i = fileIn(firsts, want.begins);
      found.push(i);
      if (firsts[i + 1]?.startsWith(want.begins)) found.push(i + 1);
    }
    return [...new Set(found)].sort((a, b) => a - b);
  }

  function each(text, position) {
    if (text[0] === "!") {
      for (let i = 1; i < text.length; i++) {
        for (let six = Math.max(0, DIGITS.indexOf(text[i])), bit = 0; six; six >>= 1, bit++) if (six & 1) position(6 * (i - 1) + bit);
      }
      return;
    }
    let next = 0;
    for (const gap of numbers(text)) {
      position(next + gap);
      next += gap + 1;
    }
  }

  // numbers returns the numbers of a text.
  function numbers(text) {
    const all = [];
    for (let i = 0, number = 0, shift = 0; i < text.length; i++) {
      const value = Math.max(0, DIGITS.indexOf(text[i]));
      number |= (value & 31) << shift;
      shift += 5;
      if (value < 32) {
        all.push(number);
        number = shift = 0;
      }
    }
    return all;
  }

  // gradeOf returns the grade of a word in a field. A single word comes first in its very form;
  // of several, the field decides before the form: so 151 of 200 queries
  // have their text first, and 130 the other way round.
  const gradeOf = (want, kind, field) => want.several && kind !== BEGUN ? 2 * field + kind : FIELDS * kind + field;

  // grade notes how well items have what is wanted, by files of terms in their order.
  function grade(want, texts, grades) {
    const note = (p, grade) => { grades[p] = Math.min(grades[p], grade); };
    let stem, places = []; // of the group: position and field
    for (const text of texts) {
      for (const entry of text.split("|")) {
        const name = /^[^ !;]*/u.exec(entry)[0], rest = entry.slice(name.length);
        if (name && name !== stem) [stem, places] = [name, []];
        const same = want.terms.includes(stem);
        if (rest[0] === "!") {
          if (!same) continue;
          const [, code, suffix, sign, list] = /^!(.)([^:~]*)([:~]?)(.*)/u.exec(rest), form = shared(stem, code, suffix);
          want.forms?.add(form);
          if (form !== want.form || want.begun) continue;
          const has = new Set();
          each(list, (ordinal) => has.add(ordinal));
          places.forEach(([p, field], ordinal) => { if (!sign || has.has(ordinal) === (sign === ":")) note(p, gradeOf(want, FORM, field)); });
          continue;
        }
        if (!same && !(want.begins && stem.startsWith(want.begins))) continue;
        const alone = rest[0] !== ";";
        const first = same ? (alone && stem === want.form && !want.begun ? FORM : want.begun ? BEGUN : GROUP) : want.unspaced ? FORM : BEGUN;
        rest.split(" ").slice(1).forEach((list, field) => each(list, (p) => {
          if (same) places.push([p, field]);
          if (!want.very || first === FORM) note(p, gradeOf(want, first, field));
        }));
        places.sort(([a], [b]) => a - b);
        if (same && alone) want.forms?.add(stem);
      }
    }
  }

  // eachDay visits the days of a segment's items, and where among these those of a day begin
  // and end. It returns how many bytes it has loaded.
  async function eachDay(segment, visit) {
    const [text] = await part(segment.number + "/days", segment.version), list = numbers(text);
    for (let i = 0, at = 0, day = 0; i < list.length; i += 2) {
      day += list[i] & 1 ? -(list[i] + 1) / 2 : list[i] / 2;
      visit(day, at, at += list[i + 1]);
    }
    return text.length;
  }

  // daysOf returns which items of a segment are of the days that are asked for.
  async function daysOf(segment, { from, to }) {
    const inside = new Uint8Array(segment.items);
    const loaded = await eachDay(segment, (day, start, end) => inside.fill(day >= from && day <= to ? 1 : 0, start, end));
    return { inside, loaded };
  }

  // gradesOf returns of each item of a segment how well it has all that is wanted.
  // Words are looked up where something passes the filters.
  async function gradesOf({ segment, means }, days) {
    const worst = new Uint8Array(segment.items);
    let loaded = 0;
    if (segment.partly) {
      const found = await daysOf(segment, days);
      loaded += found.loaded;
      found.inside.forEach((inside, i) => { if (!inside) worst[i] = NOWHERE; });
    }
    for (const some of [means.filter((m) => m.want.filter), means.filter((m) => !m.want.filter)]) {
      if (!worst.some((grade) => grade !== NOWHERE)) break;
      await Promise.all(some.map(async ({ want, files, cost }) => {
        const grades = new Uint8Array(segment.items).fill(NOWHERE);
        grade(want, (await Promise.all(files.map((i) => part(segment.number + "/" + i, segment.version)))).map(([text]) => text), grades);
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

  // What a page of results loads at most, in bytes beside the catalog and the dictionary; of
  // that, items if there are enough hits; and of these one file.
  const MOST = 250_000, MOST_ITEMS = 110_000, ITEMS_FILE = 16_100;
  const HEADS = 36_000; // bytes of heads of a stage, by how large they usually are
  const UNIT = 256; // of the sizes in a head
  const AT_ONCE = 48_000; // bytes of files of terms that are loaded side by side
  const SHOWN = 10; // hits at a time

  const headOf = (segment) => 60 + 8 * (16 + Math.ceil(segment.items / 8));

  // dayOf returns the number of a day, as the index has it: 20260914 and "2026-09-14" are one.
  const dayOf = (date) => Math.floor(date / 10000) * 372 + Math.floor(date / 100) % 100 * 31 + date % 100;

  async function begin(query) {
    catalog = await ayna.open();
    const { wants, phrases, list } = await parse(query);
    const [from, to] = [query.from, query.to].map((date) => Number(date.replaceAll("-", "")) || 0);
    const days = { from: from ? dayOf(from) : 1, to: to ? dayOf(to) : Infinity };
    const segments = catalog.segments.map((s) => ({ ...s, partly: Boolean(from || to) && (s.first < Math.max(from, 1) || s.last > (to || Infinity)) }));
    const inside = (s) => !(from || to) || (s.last >= Math.max(from, 1) && s.first <= (to || Infinity));
    return {
      query, wants, phrases, list, writers: catalog.writers, days, left: wants.length || from || to ? segments.filter(inside) : [], stage: [],
      ranks: Array.from({ length: RANKS }, () => []), numbers: [], at: 0, rejected: 0, shown: 0, searched: 0,
    };
  }

  const done = (search) => !search.left.length && !search.stage.length;
  const waiting = (search) => search.numbers.length - search.at;
  const sum = (list, number) => list.reduce((all, one) => all + number(one), 0);

  // plan reads a segment's head, and finds out which files are to be loaded.
  async function plan(segment, list) {
    const [firsts, sizes] = await part(String(segment.number), segment.version);
    const counted = new Set(), split = firsts.split("|");
    const means = list.map((want) => {
      const files = filesOf(want, split);
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
    while (!search.abandoned && waiting(search) < enough && !done(search)) {
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
      const found = await Promise.all(parts.map((s) => gradesOf(s, search.days)));
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
    const byDate = search.query.sort === "date";
    for (let p = grades.length - 1; p >= 0; p--) {
      if (grades[p] !== NOWHERE) search.ranks[byDate ? 0 : grades[p]].push(segment.start + p);
    }
    search.searched += segment.items;
  }

  // ---- Items

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();
  }

  async function itemOf(number) {
    const segment = catalog.segments.findLast((s) => s.start <= number);
    const file = Math.floor(number / catalog.items);
    const data = await load("items/" + file, segment.version);
    const packed = data.at(-1);
    data.rows ??= unpack(packed);
    const [address, title, date, kind, folder, picture, names, lines, whole] = (await data.rows)[number % catalog.items];
    return { address, title: normal(title), date, kind, folder, picture, names: normal(names), lines: normal(lines), whole, file, size: packed.length + 60 };
  }

  // holds returns whether an item has a phrase in one line; of a text that the index
  // does not have whole, its pairs of words have to do.
  function holds(item, phrase) {
    return !item.whole || [item.title, ...item.names.split("\n"), ...item.lines.split("\n")].some((line) => {
      const list = words(line).filter((w) => !w.tail);
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

  const MOST_COUNTED = 50_000; // bytes that are loaded to count hits

  // counts returns how many of the hits so far are in each top folder and of each year: its
  // directory or number, how many, and its title; undefined if that needs too many bytes.
  async function counts(search) {
    const hits = search.numbers.concat(...search.ranks), years = {};
    const tops = catalog.folders.filter(([dir]) => !dir.includes("/")).map(([dir, title, key]) => ({ dir, title, terms: ["=f" + key], form: "=f" + key, number: 0 }));
    let room = MOST_COUNTED;
    for (const segment of catalog.segments) {
      const inside = new Uint8Array(segment.items);
      for (const hit of hits) if (hit >= segment.start && hit < segment.start + segment.items) inside[hit - segment.start] = 1;
      if (search.abandoned) return undefined;
      if (!inside.includes(1)) continue;
      const { means, head, cost } = await plan(segment, tops);
      if ((room -= head + cost) < 0) return undefined;
      for (const { want, files } of means) {
        const grades = new Uint8Array(segment.items).fill(NOWHERE);
        grade(want, (await Promise.all(files.map((i) => part(segment.number + "/" + i, segment.version)))).map(([text]) => text), grades);
        want.number += grades.filter((g, i) => inside[i] && g !== NOWHERE).length;
      }
      room -= await eachDay(segment, (day, start, end) => {
        const year = Math.floor((day - 32) / 372); // of dayOf
        if (day > 0) years[year] = (years[year] ?? 0) + sum([...inside.subarray(start, end)], Number);
      });
    }
    return { folders: tops.map(({ dir, number, title }) => [dir, number, title]), years: Object.entries(years) };
  }

  Object.assign(ayna, { begin, next, counts, done, waiting, sum });
})();
