package archive_test

import (
	"slices"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/record"
)

// Put keeps each address that a record had.
func TestFormerAddresses(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		for i, url := range []string{"https://h.example/çay", "", " https://h.example/su\n", "https://h.example/ayran"} {
			r := article("1", "İçecek", i)
			r.URL = strings.TrimSpace(url)
			r.List = []byte(`{"Id":"1","Url":"` + strings.ReplaceAll(url, "\n", `\n`) + `"}`)
			r.Single = []byte(`{"Id":"1","Url":"http://h.example/both"}`)
			r.URLs = []string{r.URL, "http://h.example/both"}
			put(t, a, r, noon)
		}
		got, err := a.Records.Get(ctx, record.Article, "1")
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"http://h.example/both", "https://h.example/su", "https://h.example/çay"}
		if former := a.FormerForTest(t, got.Row); !slices.Equal(former, want) {
			t.Errorf("former addresses %q, want %q", former, want)
		}
	})
}
