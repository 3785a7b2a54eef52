// Package attack makes the hostile texts that tests put into what comes from outside: a sort
// of field goes into [For], texts come out. [Traversals] and [Armory] combine thousands. A test adds cases of its own where its package alone needs them.
package attack

import (
	"slices"
	"strings"
)

// Attack is a hostile text.
type Attack struct {
	Group string
	Value string
	In    Field // fields that it may be in
}

// Field is a sort of field of a record. Combine fields with |.
type Field int

// The sorts of fields.
const (
	Markup  Field = 1 << iota // a text in HTML
	Words                     // a title, a name, a tag
	Path                      // the path of a folder
	ID                        // an id that an address can hold
	Address                   // a link, or the address of a picture
)

// Attacks are all hostile texts, except those that [Traversals] and [Armory] combine.
var Attacks = slices.Concat(slices.Concat(markup...), slices.Concat(paths...), slices.Concat(others...))

// For returns the texts for a sort of field.
func For(field Field) (values []string) {
	for _, a := range Attacks {
		if a.In&field != 0 {
			values = append(values, a.Value)
		}
	}
	return values
}

// of returns the attacks of a group.
func of(group string, in Field, values ...string) []Attack {
	var list []Attack
	for _, v := range values {
		list = append(list, Attack{group, v, in})
	}
	return list
}

var others = [][]Attack{
	of("direction", Words, "\u202egnp.exe", "a\u202eb\u2066c\u2069\ufeffd", "z"+strings.Repeat("\u0301", 5000)+"algo"),
	of("character", Words, "\xff\xe2\x80", "a\xff\xc0\x80\xed\xa0\x80b", "“a” – \u2027\u202a\u2028", "\u2029", "\x7f\t", "\ufffe\uffff\ufdd0\U0001ffff"),
	of("JSON", Words, "</script><script>alert(1)</script>", "<!--<script>", "]]> & \u2028 \u2029 \x00", `"\`, `\ud800`, `"}]}`, "{{.}}"),
	of("SQL", Words|ID, "'; DROP TABLE record; --", "1' or '1'='1&$top=9+#", "?1"),
	of("huge", Words, strings.Repeat("a", 100_000), strings.Repeat("uzun ", 20_000)),
	of("id", ID,
		"49100001", "49100001 ", " 49100001", "\t49100001\n", " ", "a/b", "/a", "a//b", "a/../b", "../x", "...", ". ", "a?b=c#d", "100%", "%2F",
		"a+b", "a;b", "şölen-İ", "a\x00b", `"quoted"`, "a\\b", "https://haber.example/1",
	),
	of("address", Address, "javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,<script>alert(1)</script>", "//kotu.example/x", `\\kotu.example\x`,
		"file:///etc/passwd", "http://ad:sifre@a.example/", "http://[::1%25eth0", "http://a.example:99999999999/", "https://a.example/\"><script>alert(1)</script>",
		"https://a.example/"+strings.Repeat("a", 10_000)),
}
