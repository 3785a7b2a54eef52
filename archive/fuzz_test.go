package archive_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode"

	"ayna/archive"
)

// FuzzSearch: no text is a syntax error in the database's query language, and a record is
// found by the words of its title. Titles with unassigned characters are left out, because
// SQLite takes some of those for letters.
func FuzzSearch(f *testing.F) {
	for _, seed := range []string{`"`, `a" OR "b`, "a*", "NEAR(a b)", "title:a", "-a", "^a", "İ ı", "a\x00b", "'; DROP TABLE record; --", "(", "AND", "\xff", "a'b", "日本", "\xc4\xcc\x18l", "\xac\xbb\U00109dd4s\xfd"} {
		f.Add(seed)
	}
	a, err := archive.Memory(ctx)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { a.Close() })
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := search(a, text, false, 10, 0); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		r := article("1", "", 0)
		r.Title, r.List = text, []byte(strconv.Quote(text)) // the index is only written if the JSON changes
		put(t, a, r, noon)
		hits, err := search(a, text, true, 10, 0)
		wordy := strings.ContainsFunc(text, unicode.IsLetter) && !strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cn, r) })
		if err != nil || wordy && hits.Count != 1 {
			t.Errorf("%q is not found by itself: %v", text, err)
		}
	})
}
