package search_test

import (
	"database/sql"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/generator/arrange"
	"ayna/generator/search"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/server/newsroom"
	"ayna/server/sample"
)

// newspaper is the sample, arranged.
func newspaper(t testing.TB) *story.Reader {
	t.Helper()
	a := newsroom.Archive(t, newsroom.New(newsroom.Options{Sample: true, Base: sample.Origin}).Stored()...)
	words, err := site.WordsFor("tr")
	if err != nil {
		t.Fatal(err)
	}
	s, err := arrange.Arrange(ctx, a, arrange.Options{Settings: site.Settings{BaseURL: "https://ayna.example/", Language: "tr", Words: words, Location: time.UTC}})
	if err != nil {
		t.Fatal(err)
	}
	return story.New(a, s, false)
}

// known is a query of testdata/known.txt, and what is relevant.
type known struct {
	query    string
	relevant map[string]bool // addresses
}

// figures are precision and recall among the first ten hits, means over queries.
type figures struct{ precision, recall float64 }

func (f *figures) add(k known, found []string, queries int) {
	found = found[:min(10, len(found))]
	good := 0
	for _, address := range found {
		if k.relevant[address] {
			good++
		}
	}
	if len(found) > 0 {
		f.precision += float64(good) / float64(len(found)) / float64(queries)
	}
	f.recall += float64(good) / float64(min(10, len(k.relevant))) / float64(queries)
}

// TestQuality compares what is found first with what SQLite's FTS5 finds first over the
// same folded words, ranked by bm25, the last one as a beginning as `ayna serve` has it.
func TestQuality(t *testing.T) {
	reader := newspaper(t)
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`CREATE VIRTUAL TABLE words USING fts5 (address UNINDEXED, title, spot, text)`); err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]string) // folded lines, by address
	items := slices.Collect(reader.Site.Home.Items.All())
	teasers, err := reader.Teasers(ctx, items)
	if err != nil {
		t.Fatal(err)
	}
	bodies, err := reader.Texts(ctx, items)
	if err != nil {
		t.Fatal(err)
	}
	for i, teaser := range teasers {
		names := []string{teaser.Spot}
		for _, w := range items[i].Writers() {
			names = append(names, w.Title)
		}
		for tag := range items[i].Tags() {
			names = append(names, tag.Title)
		}
		for f := items[i].Folder(); f != nil; f = f.Parent {
			names = append(names, f.Title)
		}
		fields := []any{items[i].Address()}
		for _, text := range []string{teaser.Title, strings.Join(names, "\n"), bodies[i]} {
			var lines []string
			for line := range strings.SplitSeq(text, "\n") {
				lines = append(lines, " "+strings.Join(search.Words(line), " ")+" ")
			}
			fields = append(fields, strings.Join(lines, "\n"))
			texts[items[i].Address()] += strings.Join(lines, "\n") + "\n"
		}
		if _, err := db.Exec(`INSERT INTO words VALUES (?, ?, ?, ?)`, fields...); err != nil {
			t.Fatal(err)
		}
	}
	x := render(t, search.New(reader, search.Options{Texts: true})).open(t, "arama")
	lines := encodeTerms(t, "known.txt")
	var all []known
	for _, line := range lines {
		query, answer, _ := strings.Cut(line, " = ")
		k := known{query, make(map[string]bool)}
		for address, text := range texts {
			k.relevant[address] = true
			for forms := range strings.SplitSeq(answer, " ; ") {
				list := strings.Fields(forms)
				if forms[0] == '"' {
					list = []string{strings.Trim(forms, `"`)}
				}
				if !slices.ContainsFunc(list, func(form string) bool { return strings.Contains(text, " "+form+" ") }) {
					delete(k.relevant, address)
				}
			}
		}
		if len(k.relevant) > 0 {
			all = append(all, k)
		}
	}
	if len(all) < 150 {
		t.Fatalf("%d queries, want 150 at least", len(all))
	}
	var ours, fts figures
	for _, k := range all {
		result, err := x.All(search.Query{Text: k.query}, 10)
		if err != nil {
			t.Fatal(err)
		}
		got, before := addresses(result.Hits), ours
		ours.add(k, got, len(all))
		if lost := before.precision + before.recall + 1.8/float64(len(all)) - ours.precision - ours.recall; lost > 0 {
			t.Logf("%s: %d of %d", k.query, len(got), len(k.relevant))
		}
		match := strings.Join(search.Words(k.query), " ") + "*"
		if k.query[0] == '"' {
			match = `"` + strings.Join(search.Words(k.query), " ") + `"`
		}
		rows, err := db.Query(`SELECT address FROM words WHERE words MATCH ? ORDER BY bm25(words, 0, 10, 4, 1), rowid LIMIT 10`, match)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for rows.Next() {
			var address string
			if err := rows.Scan(&address); err != nil {
				t.Fatal(err)
			}
			found = append(found, address)
		}
		fts.add(k, found, len(all))
	}
	t.Logf("%d queries: precision@10 %.3f, recall@10 %.3f; FTS5 %.3f, %.3f", len(all), ours.precision, ours.recall, fts.precision, fts.recall)
	if ours.precision < fts.precision || ours.recall < fts.recall || ours.recall < 0.9 {
		t.Error("less than FTS5 finds, or than was found")
	}
}

// TestServerAgrees: what the archive's own index, which answers /v1/search, finds for a
// single word as it is written, the search page finds too.
func TestServerAgrees(t *testing.T) {
	reader := newspaper(t)
	x := render(t, search.New(reader, search.Options{Texts: true})).open(t, "arama")
	items := slices.Collect(reader.Site.Home.Items.All())
	byRow := make(map[int64]string)
	for _, item := range items {
		byRow[item.Row()] = item.Address()
	}
	bodies, err := reader.Texts(ctx, items)
	if err != nil {
		t.Fatal(err)
	}
	words := search.Words(strings.Join(bodies, " "))
	slices.Sort(words)
	words = slices.Compact(words)
	both, onlyServer := 0, 0
	for i := 0; i < len(words); i += 1 + len(words)/400 {
		holds, err := reader.Archive.HoldsWords(ctx, words[i])
		if err != nil {
			t.Fatal(err)
		}
		completed, err := reader.Archive.SavedSearch(ctx, words[i]) // as /v1/search, completes the last word
		if err != nil {
			t.Fatal(err)
		}
		result, err := x.All(search.Query{Text: words[i]}, 1000)
		if err != nil {
			t.Fatal(err)
		}
		found := addresses(result.Hits)
		for row, address := range byRow {
			if holds(row) && !slices.Contains(found, address) {
				t.Errorf("%s: %s is not found", words[i], address)
			}
		}
		for _, row := range completed {
			if slices.Contains(found, byRow[row]) {
				both++
			} else {
				onlyServer++
			}
		}
	}
	t.Logf("of %d hits of the server the page finds all but %d", both+onlyServer, onlyServer)
	if onlyServer*10 > both {
		t.Error("the page finds less than it did")
	}
}
