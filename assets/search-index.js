// The index of the search page: words, its files, its dictionary. What a query needs is loaded
// as scripts, which also works for a site in a folder on a disk. generator/search makes and
// describes the files. Nothing here knows a language: how letters fold, and which forms a word
// has, is in the index.
"use strict";

const ayna = (() => {
  // ---- Words, as the index has them

  const LETTERS = 24; // of a word that count
  const DROPPED = /^(?:\p{Cf}|[ʼـ]|(?=\p{M})[\p{sc=Zinh}\p{sc=Arab}\p{sc=Hebr}\p{sc=Cyrl}])$/u;
  const UNSPACED = /^(?=[\p{L}\p{N}\p{M}])[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}ー]/u;
  const THREE_DIGITS = /^\p{Nd}{3}(?!\p{Nd})/u;

  let special = new Map(), folded = new Map();

  function readLetters(table) {
    special = new Map(table.split(" ").filter(Boolean).map(([from, ...to]) => [from, to.join("")]));
    folded = new Map();
  }

  const OUTSIDE = 0, SPACED = 1, RUN = 2; // no word, a word between blanks, of a script without them

  // fold returns the folded characters of a letter, each with what it is part of.
  function fold(letter) {
    let known = folded.get(letter);
    if (!known) {
      let text = special.get(letter.toLowerCase());
      if (text === undefined) {
        text = "";
        for (const c of letter.normalize(/[\p{sc=Hang}\p{sc=Hira}\p{sc=Kana}]/u.test(letter) ? "NFKC" : "NFKD")) {
          const small = c.toLowerCase();
          if (!DROPPED.test(c)) text += special.get(small) ?? small;
        }
      }
      known = [...text].map((c) => [c, !/[\p{L}\p{N}\p{M}]/u.test(c) ? OUTSIDE : UNSPACED.test(c) ? RUN : SPACED]);
      folded.set(letter, known);
    }
    return known;
  }

  // normal returns a text in the form in which words divides it.
  const normal = (text) => text.normalize("NFC").replace(/[\uff61-\uff9f]+/gu, (kana) => kana.normalize("NFKC"));

  // words returns the folded words of a normal text, and where they are in it. Of scripts
  // without blanks these are pairs of letters, and the tail of each run of them.
  function words(text) {
    const found = [];
    let word = [], ending = false, digits = 0, from = 0, to = 0, at = 0, run;
    const endRun = () => {
      if (run) found.push({ word: run.letter, from: run.from, to: run.to, unspaced: true, tail: run.more });
      run = undefined;
    };
    const end = () => {
      endRun();
      if (word.length) found.push({ word: word.join(""), from, to });
      word = [];
      digits = 0;
      ending = false;
    };
    for (const letter of text) {
      const next = at + letter.length;
      if (digits > 0 && digits <= 3 && !ending && ".,'’٬\u00a0\u2009\u202f".includes(letter) && (word.length <= 3 || digits === 3) &&
        THREE_DIGITS.test(text.slice(next, next + 8))) {
        digits = 0;
      } else if ("'`´‘’ʼ′＇".includes(letter)) {
        ending ||= word.length > 1 || (word.length === 1 && /\p{N}/u.test(word[0]));
      } else {
        for (const [c, kind] of fold(letter)) {
          if (kind === OUTSIDE) {
            end();
          } else if (kind === RUN) {
            if (!run) end();
            if (run) found.push({ word: run.letter + c, from: run.from, to: next, unspaced: true });
            run = { letter: c, from: at, to: next, more: Boolean(run) };
          } else {
            endRun();
            if (ending || word.length === LETTERS) continue;
            if (!word.length) [from, digits] = [at, 0];
            word.push(c);
            to = next;
            if (digits >= 0) digits = c >= "0" && c <= "9" ? digits + 1 : -1;
          }
        }
      }
      at = next;
    }
    end();
    return found;
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

  // part loads a file of a version. Another version than the catalog's is of a site that was
  // published meanwhile.
  async function part(name, wanted) {
    const [version, ...data] = await load(name, wanted);
    if (version !== wanted) throw new Error(name + " was replaced");
    return data;
  }

  let catalog;

  async function open() {
    if (catalog) return catalog;
    const [data] = await load("", Date.now());
    readLetters(data.letters || "");
    let first = 0;
    data.segments = (data.segments || []).map((s, number) => {
      const segment = { ...s, number, start: first };
      first += s.items;
      return segment;
    });
    catalog = data;
    return catalog;
  }

  function close() {
    catalog = undefined;
    files.clear();
    calls.clear();
  }

  // ---- The dictionary

  const RECORD = /([|!#$])([A-Z])([^A-Z|!#$]*)((?:[A-Z][^A-Z|!#$]*)*)/gu;
  const BEGINNING = 3; // letters of a word that may begin another, or for which another is offered
  const LONGER = 5; // letters that a word has more than the one that is found instead
  const STEMS = 3; // of a word
  const OFFERED = 3; // words, where nothing is spelled nearly alike

  const shared = (text, code, rest) => text.slice(0, code.charCodeAt(0) - 65) + rest;
  const reverse = (word) => [...word].reverse().join("");
  const fileIn = (firsts, key) => {
    let low = 0, high = firsts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (firsts[middle] <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  // blockWith returns the records of the block in which a word is, if it is anywhere, and, if
  // wanted, those of the next one if words that begin as it does go on there.
  async function blockWith(word, reversed, begins) {
    const lists = await part("words", catalog.words);
    const blocks = lists[reversed ? 1 : 0].split("|").slice(0, -1).map((block) => block.split(":")), firsts = blocks.map(([first]) => first);
    if (!firsts.length) return [];
    const number = fileIn(firsts, word), records = [];
    for (const i of begins && firsts[number + 1]?.startsWith(word) ? [number, number + 1] : [number]) {
      const [text] = await part((reversed ? "reversed/" : "words/") + i, blocks[i][1]);
      let last = "";
      for (const [, sign, code, rest, stems] of text.matchAll(RECORD)) {
        last = shared(last, code, rest);
        records.push({ word: last, often: "|!#$".indexOf(sign), stems });
      }
    }
    return records;
  }

  const stemsOf = ({ word, stems }) => stems ? stems.match(/[A-Z][^A-Z]*/gu).slice(0, STEMS).map((s) => shared(word, s[0], s.slice(1))) : [word];

  // isNear returns whether two words are one, but for a letter or the order of two. Short ones
  // have to be the same.
  function isNear(one, other) {
    if (Math.min(one.length, other.length) < BEGINNING) return one === other;
    const [a, b] = one.length < other.length ? [[...other], [...one]] : [[...one], [...other]];
    let i = 0;
    while (i < b.length && a[i] === b[i]) i++;
    const same = (x, y) => a.slice(x).join("") === b.slice(y).join("");
    if (a.length === b.length + 1) return same(i + 1, i);
    return a.length === b.length && (same(i + 1, i + 1) || (a[i] === b[i + 1] && a[i + 1] === b[i] && same(i + 2, i + 2)));
  }

  // spelled returns another word for a written one with as many of its letters as possible:
  // the index has folded letters alone.
  function spelled(written, word, other) {
    const from = [...written.toLocaleLowerCase(document.documentElement.lang)], to = [...other], letters = [...word];
    if (from.length !== letters.length) return other;
    let start = 0, end = 0;
    while (start < to.length && letters[start] === to[start]) start++;
    while (end < to.length - start && end < letters.length - start && letters.at(-1 - end) === to.at(-1 - end)) end++;
    return [...from.slice(0, start), ...to.slice(start, to.length - end), ...from.slice(from.length - end)].join("");
  }

  // lookUp finds the stems of a wanted word, and of an unknown one what may be meant.
  async function lookUp(want) {
    want.terms = [want.form];
    if (want.unspaced || !/^[\p{L}\p{M}]+$/u.test(want.form)) return;
    const word = want.form, list = await blockWith(word, false, want.begins);
    const known = (form, among) => {
      const record = among.find((r) => r.word === form);
      if (record) [want.form, want.terms] = [form, stemsOf(record)];
      return Boolean(record);
    };
    if (known(word, list)) return;
    want.known = false;
    const [digraphs, articles] = [catalog.digraphs, catalog.articles].map((texts) => (texts || "").split(" ").filter(Boolean));
    const letters = [...word];
    const bare = articles.filter((a) => word.startsWith(a) && letters.length >= a.length + BEGINNING).map((a) => word.slice(a.length));
    const alike = [digraphs.reduce((w, [a, b, c]) => w.replaceAll(a + b, c), word), ...bare, ...articles.slice(0, 1).flatMap((a) => [word, ...bare].map((w) => a + w))];
    for (const other of new Set(alike)) {
      if (other === word || !known(other, await blockWith(other))) continue;
      want.instead = spelled(want.written, word, other);
      return;
    }
    const begun = !want.very && !want.not && letters.length >= BEGINNING && list.find((r) => r.word.startsWith(word));
    if (begun) {
      want.terms = stemsOf(begun);
      want.begun = true;
      return;
    }
    want.begins = undefined;
    if (letters.length >= BEGINNING) {
      const near = [...list, ...(await blockWith(reverse(word), true)).map((r) => ({ ...r, word: reverse(r.word) }))];
      let best;
      for (const r of near) if ((!best || r.often > best.often) && isNear(r.word, word)) best = r;
      if (best) want.means = [spelled(want.written, word, best.word)];
    }
    if (want.very || want.not) return;
    for (let n = letters.length - 1; n >= BEGINNING && n >= letters.length - LONGER; n--) {
      const shorter = letters.slice(0, n).join("");
      if (known(shorter, list) || known(shorter, await blockWith(shorter))) {
        want.instead = spelled(want.written, word, shorter);
        return;
      }
    }
    // Else words that have at least the first half of it.
    const same = (r) => letters.findIndex((letter, i) => letter !== r.word[i]);
    const half = Math.max(BEGINNING, letters.length / 2);
    want.means ??= list.filter((r) => same(r) >= half).sort((a, b) => same(b) - same(a) || b.often - a.often).slice(0, OFFERED).map((r) => r.word);
  }

  return Object.assign(arrived, { normal, words, pair, part, load, open, close, lookUp, isNear, fileIn, shared, DIGITS, BEGINNING });
})();
