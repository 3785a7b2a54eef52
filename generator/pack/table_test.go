package pack_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"ayna/archive"
	"ayna/generator/pack"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/testrun"
)

var update = flag.Bool("update", false, "rewrite the table of columns in docs/packs.md")

// full is a record that has every column.
var full = archive.Record{
	Kind: archive.Article, ID: "9", Fetched: noon,
	List: []byte(`{"Id":"9","ContentType":"Article","Path":"/spor/","Title":"Iğdır’da şölen","Description":"Özet","Editor":"E. D.",
		"Tags":["ığdır","a | b"],"Url":"https://kaynak.example/9.html","StartDate":"2026-09-30T22:30:00.5Z","ModifiedDate":"2026-10-01T00:00:00Z"}`),
	Single: []byte(`{"Id":"9","Path":"/spor/","Title":"Iğdır’da şölen","Description":"Özet","Editor":"E. D.","Tags":["ığdır","a | b"],
		"Url":"https://kaynak.example/9.html","StartDate":"2026-09-30T22:30:00.5Z","ModifiedDate":"2026-10-01T00:00:00Z",
		"Writers":[{"Id":"w1","Fullname":"Çağla Işık"}],"RelatedNews":[{"Id":"1","Title":"Öteki","Url":"https://kaynak.example/1.html"}],
		"Files":[{"FileUrl":"https://kaynak.example/a.jpg"}],
		"Text":"<p>Ağrı Dağı’nda <b>şenlik</b> &amp; yürüyüş – 3 km.</p><p><a href=\"/1.html\">Öteki</a> <img src=\"/b.jpg\" alt=\"\"><img src=\"/a.jpg\" alt=\"\"></p>"}`),
}

func table(a *archive.Archive, part pack.Part, texts bool) *pack.Table {
	return &pack.Table{Stories: story.New(a, &site.Site{}, false), Part: part, BaseURL: "https://ayna.example/", Texts: texts}
}

// readCSV returns the rows of a table as CSV, by column.
func readCSV(t *testing.T, table *pack.Table) []map[string]string {
	t.Helper()
	var text bytes.Buffer
	if damaged, err := table.CSV(t.Context(), &text); err != nil || damaged != nil {
		t.Fatal(damaged, err)
	}
	if bytes.Contains(text.Bytes(), []byte("\r\n")) { // the reader would take it for "\n"
		t.Error("a line end of a text has become another")
	}
	cells, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, line := range cells[1:] {
		row := map[string]string{}
		for i, name := range cells[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func TestCSV(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 3*60*60)
	for _, test := range []struct {
		name, path, month string
		ids               string
	}{
		{"all", "", "", "1 2 3 4 ş/../5"},
		{"folder", "/spor", "", "1 2"},
		{"sub-folder", "spor/futbol/", "", "1"},
		{"not by half a name", "/spo/", "", ""},
		{"month of the zone", "", "2026-10", "1"},
		{"month before", "", "2026-09", ""},
	} {
		part, err := pack.ParsePart(test.path, test.month, zone)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, row := range readCSV(t, table(filled(t, strange), part, true)) {
			ids = append(ids, row["id"])
			for _, cell := range row {
				if strings.IndexAny(cell, "=+-@") == 0 {
					t.Errorf("%s: the cell %q is a formula", test.name, cell)
				}
			}
		}
		if got := strings.Join(ids, " "); got != test.ids {
			t.Errorf("%s: %s, want %s", test.name, got, test.ids)
		}
	}
}

// A table has the columns of the dictionary. What CSV says of a full record is what it is.
func TestColumns(t *testing.T) {
	t.Parallel()
	const text, markdown = "Ağrı Dağı’nda şenlik & yürüyüş – 3 km.\nÖteki", "Ağrı Dağı’nda **şenlik** & yürüyüş – 3 km.\n\n" +
		"[Öteki](https://kaynak.example/1.html) ![](https://kaynak.example/b.jpg)![](https://kaynak.example/a.jpg)"
	want := map[string]string{
		"kind": "article", "id": "9", "type": "Article", "path": "/spor/", "title": "Iğdır’da şölen", "spot": "Özet", "editor": "E. D.",
		"text": text, "markdown": markdown, "tags": "ığdır | a | b", "writers": "Çağla Işık",
		"published": "2026-09-30T22:30:00.5Z", "modified": "2026-10-01T00:00:00Z", "url": "https://kaynak.example/9.html",
		"address": "adres/article-9.html", "lead": "https://kaynak.example/a.jpg", "related": "1", "links": "https://kaynak.example/1.html",
		"words": "7", "pictures": "2", "listed": "2026-09-30T22:30:00Z", "fetched": "2026-09-30T22:30:00Z", "changed": "", "gone": "",
	}
	rows := readCSV(t, table(filled(t, []archive.Record{full}), pack.Part{}, true))
	var columns []string
	for _, c := range pack.Columns() {
		columns = append(columns, c.Name)
		if c.Type == "" || c.About == "" {
			t.Errorf("the dictionary lacks type or meaning of %s", c.Name)
		}
		if wanted, ok := want[c.Name]; ok && rows[0][c.Name] != wanted {
			t.Errorf("%s: %q, want %q", c.Name, rows[0][c.Name], wanted)
		}
	}
	if len(rows[0]) != len(columns) {
		t.Errorf("%d columns of %d", len(rows[0]), len(columns))
	}
	brief := readCSV(t, table(filled(t, []archive.Record{full}), pack.Part{}, false))[0]
	if _, ok := brief["text"]; ok || len(brief) != len(columns)-2 || brief["words"] != want["words"] {
		t.Errorf("without texts: %v", brief)
	}
}

// readParquet returns the rows of a Parquet file, and checks that the file says what its
// columns are.
func readParquet(t *testing.T, content []byte) (rows []map[string]any, groups int) {
	t.Helper()
	file, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	var names, wanted []string
	for _, field := range file.Schema().Fields() {
		names = append(names, field.Name())
	}
	for _, c := range pack.Columns() {
		wanted = append(wanted, c.Name)
		if about, _ := file.Lookup("column." + c.Name); !strings.HasPrefix(about, c.Type) || !strings.Contains(about, c.About) {
			t.Errorf("the file says %q of %s", about, c.Name)
		}
	}
	if !slices.Equal(names, wanted) {
		t.Errorf("columns %v, want %v", names, wanted)
	}
	list, err := parquet.Read[any](bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range list {
		rows = append(rows, row.(map[string]any))
	}
	return rows, len(file.RowGroups())
}

// A Parquet file has the values of the CSV, as values of their types. The same archive
// gives the same bytes.
func TestParquet(t *testing.T) {
	t.Parallel()
	a := filled(t, append(slices.Clone(strange), full))
	var content, again bytes.Buffer
	for _, w := range []*bytes.Buffer{&content, &again} {
		if damaged, err := table(a, pack.Part{}, false).Parquet(t.Context(), w); err != nil || damaged != nil {
			t.Fatal(damaged, err)
		}
	}
	if !bytes.Equal(content.Bytes(), again.Bytes()) {
		t.Error("the same archive gives other bytes")
	}
	rows, _ := readParquet(t, content.Bytes())
	lines := readCSV(t, table(a, pack.Part{}, true))
	if len(rows) != len(lines) {
		t.Fatalf("%d rows, and %d of CSV", len(rows), len(lines))
	}
	for i, row := range rows {
		for _, c := range pack.Columns() {
			got, want := row[c.Name], strings.TrimPrefix(lines[i][c.Name], "'")
			switch {
			case c.Type == "timestamp" && got != nil:
				got = time.UnixMilli(got.(int64)).UTC().Format(time.RFC3339Nano)
			case strings.HasPrefix(c.Type, "list"):
				continue
			case got == nil:
				got = ""
			}
			if fmt.Sprint(got) != want || !utf8.ValidString(want) {
				t.Errorf("row %d: %s is %q, and %q in CSV", i, c.Name, got, want)
			}
		}
	}
	last := rows[len(rows)-1]
	for name, want := range map[string]string{
		"tags": "[ığdır a | b]", "writers": "[map[id:w1 name:Çağla Işık]]", "links": "[https://kaynak.example/1.html]",
		"related": "[map[id:1 title:Öteki url:https://kaynak.example/1.html]]",
	} {
		if got := fmt.Sprint(last[name]); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if kind := reflect.TypeOf(last["words"]).Kind(); kind != reflect.Int32 {
		t.Errorf("words are of type %s", kind)
	}
}

// The rows of long texts are in several groups, which bounds the memory.
func TestParquetRowGroups(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	var records []archive.Record
	text := strings.Repeat("uzun ", 80_000)
	for i := range 50 {
		records = append(records, archive.Record{
			Kind: archive.Article, ID: fmt.Sprint(i), Single: fmt.Appendf(nil, `{"Id":"%d","Text":"<p>%s</p>"}`, i, text),
		})
	}
	var content bytes.Buffer
	if _, err := table(filled(t, records), pack.Part{}, false).Parquet(t.Context(), &content); err != nil {
		t.Fatal(err)
	}
	rows, groups := readParquet(t, content.Bytes())
	if len(rows) != len(records) || groups < 2 {
		t.Errorf("%d rows in %d groups", len(rows), groups)
	}
}

// docs/packs.md has the data dictionary.
func TestColumnsDocument(t *testing.T) {
	const begin, end = "<!-- Written by go test ./generator/pack -run ColumnsDocument -update -->\n", "<!-- end -->\n"
	name := filepath.Join("..", "..", "docs", "packs.md")
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), begin)
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("%s has no table of columns", name)
	}
	var table strings.Builder
	table.WriteString("| column | type | unit | meaning | field of the API |\n|---|---|---|---|---|\n")
	for _, c := range pack.Columns() {
		from := ""
		if c.From != "" {
			from = "`" + strings.ReplaceAll(c.From, ", ", "`, `") + "`"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s | %s |\n", c.Name, c.Type, c.Unit, c.About, from)
	}
	got := before + begin + table.String() + end + after
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if got != string(page) {
		t.Errorf("%s has other columns; rewrite it with -update", name)
	}
}
