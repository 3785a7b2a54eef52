package search_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// index is what the files of an index hold, decoded.
type index struct {
	catalog struct {
		Segments []struct {
			Items, First, Last int
			Version            string
		}
		Words string
	}
	groups   map[string]group    // by stem
	stems    map[string][]string // by form, of the dictionary
	reversed []string            // words of the reversed dictionary
	filters  map[string][]int    // what is no group: items
}

// group is an entry: items with the best field that has it, and items by form.
type group struct {
	items map[int]int
	forms map[string][]int
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// numbersOf decodes numbers of five bits a character.
func numbersOf(text string) (all []int) {
	n, shift := 0, 0
	for _, c := range text {
		v := strings.IndexRune(digits, c)
		n |= v & 31 << shift
		if shift += 5; v < 32 {
			all = append(all, n)
			n, shift = 0, 0
		}
	}
	return all
}

// positionsOf decodes a list of positions.
func positionsOf(list string) (all []int) {
	if sixes, bits := strings.CutPrefix(list, "!"); bits {
		for i, c := range sixes {
			for bit := range 6 {
				if strings.IndexRune(digits, c)>>bit&1 == 1 {
					all = append(all, 6*i+bit)
				}
			}
		}
		return all
	}
	next := 0
	for _, gap := range numbersOf(list) {
		all = append(all, next+gap)
		next += gap + 1
	}
	return all
}

// rest returns a text that begins with so many UTF-16 units of another, as a code has it.
func rest(of, code string) string {
	units := utf16.Encode([]rune(of))[:code[0]-'A']
	return string(utf16.Decode(units)) + code[1:]
}

// decode decodes an index.
func (made tree) decode(t testing.TB) *index {
	t.Helper()
	x := &index{groups: make(map[string]group), stems: make(map[string][]string), filters: make(map[string][]int)}
	file := func(name string, into ...any) {
		path := "arama/index." + name + ".js"
		if name == "" {
			path = "arama/index.js"
		}
		text, ok := made.files[path]
		if !ok {
			t.Fatalf("%s is missing", path)
		}
		text, _ = strings.CutPrefix(text, "ayna(")
		text, _ = strings.CutSuffix(text, ");\n")
		var found string
		all := append([]any{&found}, into...)
		if err := json.Unmarshal([]byte("["+text+"]"), &all); err != nil || found != name || len(all) != len(into)+1 {
			t.Fatalf("%s: %q, %v", path, found, err)
		}
	}
	file("", &x.catalog)
	start := 0
	for number, segment := range x.catalog.Segments {
		var version, firsts, sizes string
		file(fmt.Sprint(number), &version, &firsts, &sizes)
		for i := range strings.Split(firsts, "|") {
			var entries string
			file(fmt.Sprintf("%d/%d", number, i), &version, &entries)
			if version != segment.Version {
				t.Errorf("file %d of segment %d has another version", i, number)
			}
			if bytes := 256 * strings.IndexByte(digits, sizes[i]); len(entries) > bytes {
				t.Errorf("file %d of segment %d has %d bytes, and its head says %d", i, number, len(entries), bytes)
			}
			x.entries(strings.Split(entries, "|"), start)
		}
		start += segment.Items
	}
	var version, forward, reversed string
	file("words", &version, &forward, &reversed)
	for _, order := range []struct{ name, firsts string }{{"words", forward}, {"reversed", reversed}} {
		firsts := strings.Split(order.firsts, "|")
		last := ""
		for i, first := range firsts[:len(firsts)-1] {
			var block string
			file(fmt.Sprintf("%s/%d", order.name, i), &version, &block)
			first, wanted, _ := strings.Cut(first, ":")
			if version != wanted {
				t.Errorf("%s/%d has another version", order.name, i)
			}
			word, before := "", last
			for len(block) > 0 {
				end := strings.IndexAny(block[1:], "|!#$") + 1
				if end == 0 {
					end = len(block)
				}
				codes := coded(block[1:end])
				block = block[end:]
				word = rest(word, codes[0])
				if i > 0 && before != "" && (before >= first || first > word) {
					t.Errorf("%s/%d begins at %q, between %q and %q", order.name, i, first, before, word)
				}
				before = ""
				last = word
				if order.name == "reversed" {
					x.reversed = append(x.reversed, word)
					continue
				}
				for _, code := range codes[1:] {
					x.stems[word] = append(x.stems[word], rest(word, code))
				}
				if len(codes) == 1 {
					x.stems[word] = []string{word}
				}
			}
		}
	}
	return x
}

// coded divides a record before each capital letter of ASCII.
func coded(record string) (codes []string) {
	for i, c := range record {
		if c >= 'A' && c <= 'Z' {
			codes = append(codes, record[i:])
		}
	}
	for i := range codes[:len(codes)-1] {
		codes[i] = strings.TrimSuffix(codes[i], codes[i+1])
	}
	return codes
}

// entries notes the entries of a file of terms of a segment.
func (x *index) entries(all []string, start int) {
	stem := ""
	for _, entry := range all {
		end := strings.IndexAny(entry, " !;")
		if end > 0 {
			stem = entry[:end]
		}
		if strings.ContainsAny(stem, "=*") {
			for _, list := range strings.Split(entry, " ")[1:] {
				for _, p := range positionsOf(list) {
					x.filters[stem] = append(x.filters[stem], start+p)
				}
			}
			continue
		}
		g, ok := x.groups[stem]
		if !ok {
			g = group{make(map[int]int), make(map[string][]int)}
			x.groups[stem] = g
		}
		if entry[end] == '!' {
			code, list := entry[end+1:], ""
			if i := strings.IndexAny(code, ":~"); i >= 0 {
				code, list = code[:i], code[i:]
			}
			var own []int // items of the group in this segment
			for _, item := range slices.Sorted(maps.Keys(g.items)) {
				if item >= start {
					own = append(own, item)
				}
			}
			named := make(map[int]bool)
			if list != "" {
				for _, ordinal := range positionsOf(list[1:]) {
					named[ordinal] = true
				}
			}
			form := rest(stem, code)
			for ordinal, item := range own {
				if list == "" || named[ordinal] == (list[0] == ':') {
					g.forms[form] = append(g.forms[form], item)
				}
			}
			continue
		}
		head, lists, _ := strings.Cut(entry, " ")
		for field, list := range strings.Split(lists, " ") {
			for _, p := range positionsOf(list) {
				g.items[start+p] = field
				if !strings.HasSuffix(head, ";") {
					g.forms[stem] = append(g.forms[stem], start+p)
				}
			}
		}
	}
}
