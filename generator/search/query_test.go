package search_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"ayna/generator/search"
	"ayna/generator/site"
)

// question is a line of testdata/queries.txt.
type question struct {
	text                 string // as written, with its filters
	query                search.Query
	want                 string // ids, in their order
	hits, strays, misses int
}

func questions(t testing.TB) []question {
	t.Helper()
	var all []question
	for _, line := range encodeTerms(t, "queries.txt") {
		i := strings.LastIndex(line+" ", "= ")
		q := question{text: strings.Trim(line[:i], " ")}
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
		var words []string
		for _, field := range strings.Fields(q.text) {
			name, value, _ := strings.Cut(field, "=")
			switch name {
			case "folder":
				q.query.Folder = value
			case "kind":
				q.query.Kind = site.Kind(value)
			case "year":
				q.query.Year, _ = strconv.Atoi(value)
			default:
				words = append(words, field)
			}
		}
		q.query.Text = strings.Join(words, " ")
		all = append(all, q)
	}
	if len(all) < 60 {
		t.Fatalf("%d queries, want 60 at least", len(all))
	}
	return all
}

func (made tree) open(t testing.TB, dir string) *search.Index {
	t.Helper()
	x, err := search.Open(made.fs(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// ids are those of the hits, as the tables have them.
func ids(hits []search.Hit) string {
	var list []string
	for _, hit := range hits {
		id := strings.TrimSuffix(hit.Address[strings.LastIndexByte(hit.Address, '-')+1:], ".html")
		list = append(list, strings.TrimPrefix(id, "4100"))
	}
	return strings.Join(list, " ")
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

// TestQueries: every query in one segment and cut into many.
func TestQueries(t *testing.T) {
	for name, cut := range map[string][]int{"one segment": nil, "many segments": {20, 5}} {
		t.Run(name, func(t *testing.T) {
			x := world{items: readItems(t), cut: cut}.render(t).open(t, "arama")
			for _, q := range questions(t) {
				result, err := x.All(q.query, 100)
				if err != nil {
					t.Fatal(err)
				}
				got, want := ids(result.Hits), q.want
				if name == "many segments" { // the newest of them go first
					got, want = sorted(got), sorted(want)
				}
				if got != want {
					t.Errorf("%s: %s, want %s", q.text, got, want)
				}
				if result.Count != len(result.Hits) {
					t.Errorf("%s: counted %d, got %d", q.text, result.Count, len(result.Hits))
				}
			}
		})
	}
}

func sorted(list string) string {
	words := strings.Fields(list)
	slices.Sort(words)
	return strings.Join(words, " ")
}

func questionOf(text string) search.Query { return search.Query{Text: text} }
