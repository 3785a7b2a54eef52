package search_test

import (
	"slices"
	"strings"
	"testing"

	"ayna/testrun"
	"ayna/testrun/chromium"
)

// question is a line of testdata/queries.txt.
type question struct {
	text                 string // as written, with its filters
	query                query
	want                 string // ids, in their order
	hint                 string
	hits, strays, misses int
}

func questions(t testing.TB) []question {
	t.Helper()
	var all []question
	for _, line := range linesOf(t, "queries.txt") {
		line, hint, _ := strings.Cut(line, " // ")
		i := strings.LastIndex(line+" ", "= ")
		q := question{text: strings.Trim(line[:i], " "), hint: hint}
		for _, id := range strings.Fields(line[i+1:]) {
			switch {
			case id[0] == '-':
				q.misses++
				continue
			case strings.HasSuffix(id, "?"):
				q.strays++
			default:
				q.hits++
			}
			q.want = strings.Trim(q.want+" "+strings.TrimSuffix(id, "?"), " ")
		}
		fields := map[string]*string{
			"folder": &q.query.Folder, "writer": &q.query.Writer, "kind": &q.query.Kind, "from": &q.query.From, "to": &q.query.To, "sort": &q.query.Sort,
		}
		var words []string
		for _, part := range strings.Fields(q.text) {
			name, value, _ := strings.Cut(part, "=")
			if field := fields[name]; field != nil {
				*field = value
			} else {
				words = append(words, part)
			}
		}
		q.query.Q = strings.Join(words, " ")
		all = append(all, q)
	}
	if len(all) < 60 {
		t.Fatalf("%d queries, want 60 at least", len(all))
	}
	return all
}

// ids are those of the hits, as the tables have them.
func ids(hits []string) string {
	var list []string
	for _, address := range hits {
		id := strings.TrimSuffix(address[strings.LastIndexByte(address, '-')+1:], ".html")
		list = append(list, strings.TrimPrefix(id, "4100"))
	}
	return strings.Join(list, " ")
}

func sorted(list string) string {
	words := strings.Fields(list)
	slices.Sort(words)
	return strings.Join(words, " ")
}

// TestPrecision holds what the table of queries says of the search.
func TestPrecision(t *testing.T) {
	var hits, strays, misses int
	for _, q := range questions(t) {
		hits, strays, misses = hits+q.hits, strays+q.strays, misses+q.misses
	}
	precision, recall := float64(hits)/float64(hits+strays), float64(hits)/float64(hits+misses)
	t.Logf("precision %.3f, recall %.3f", precision, recall)
	if precision < 0.88 || recall < 0.97 {
		t.Errorf("precision %.3f, recall %.3f: less than they were", precision, recall)
	}
}

// TestBrowserQueries asks the page in Chromium each query, from a disk and over http, in one
// segment and in many, and the words of texts.
func TestBrowserQueries(t *testing.T) {
	browser := chromium.Browser(t)
	all, cases := questions(t), termCases(t)
	var queries []query
	for _, q := range all {
		queries = append(queries, q.query)
	}
	var texts []string
	for _, c := range cases {
		texts = append(texts, c[0])
	}
	for i, cut := range [][]int{nil, {20, 5}} {
		dir := world{items: readItems(t), cut: cut}.publish(t, drivenBy(t, queries, texts, false, 100))
		for name, root := range roots(t, dir) {
			if !testrun.Long() && name != []string{"file", "http"}[i] {
				continue // what is found does not depend on how it is loaded
			}
			a := ask(t, browser, root+"/arama/driven.html")
			for i, q := range all {
				got, want := ids(a.Answers[i].Hits), q.want
				if cut != nil { // the newest of the segments go first
					got, want = sorted(got), sorted(want)
				}
				if got != want || a.Answers[i].Hint != q.hint {
					t.Errorf("%s, cut to %v: %s = %s // %s, want %s // %s", name, cut, q.text, got, a.Answers[i].Hint, want, q.hint)
				}
			}
			for i, c := range cases {
				if a.Words[i] != c[1] {
					t.Errorf("%q: words %q, want %q", c[0], a.Words[i], c[1])
				}
			}
		}
	}
}
