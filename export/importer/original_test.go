package importer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/export"
	"ayna/export/importer"
	"ayna/record"
	"ayna/source/get"
	"ayna/testrun/fakepaper"
)

// originalLine is a line as Originals writes it, of the original of an article; more fields
// replace those of the line, and nil removes one.
func originalLine(fields ...any) string {
	var of struct{ Hash string }
	if err := json.Unmarshal([]byte(lineOf("1")), &of); err != nil {
		panic(err)
	}
	line := map[string]any{
		"type": "posts", "id": "1", "part": "single", "kind": "article", "record": "1", "hash": of.Hash, "operation": "/posts", "reader": "a",
		"fetched": "2026-09-01T10:00:00Z", "data": json.RawMessage(`{"id":1}`),
	}
	for i := 0; i < len(fields); i += 2 {
		if line[fields[i].(string)] = fields[i+1]; fields[i+1] == nil {
			delete(line, fields[i].(string))
		}
	}
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	return string(text) + "\n"
}

// kept returns what the archive holds of originals, without times.
func kept(t *testing.T, a *archive.Archive) (list []string) {
	t.Helper()
	for o, err := range a.Originals.Each(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%s %s %s %s", o.Type, o.ID, o.Part, o.Data))
	}
	return list
}

// What is an original is stored beside its record, in an archive that has none of another paper.
func TestImportedOriginals(t *testing.T) {
	t.Parallel()
	record1, tag := lineOf("1"), originalLine("type", "tags", "id", "7", "part", "list", "kind", nil, "record", nil, "hash", nil)
	const single, list = `posts 1 single {"id":1}`, `tags 7 list {"id":1}`
	encoded := originalLine("data", nil, "encoded", map[string][]byte{"data": []byte("{\n\"id\":1}")})
	for name, test := range map[string]struct{ before, file, want, err string }{
		"both":                           {"", record1 + originalLine() + tag, single + "|" + list, ""},
		"without its record":             {"", originalLine() + tag, list, ""},
		"of another record":              {"", record1 + originalLine("hash", strings.Repeat("ab", 32)), "", ""},
		"of the archive's record":        {record1, originalLine(), single, ""},
		"of a record that was forgotten": {"forget", record1 + originalLine() + tag, list, ""},
		"again":                          {record1 + originalLine(), record1 + originalLine("data", json.RawMessage(`{"id":2}`)), single, ""},
		"beside those of another paper":  {tag, record1 + originalLine(), list, ""},
		"with an earlier version":        {"", record1 + originalLine() + originalLine("replaced", "2026-09-01T11:00:00Z"), single + "|" + single, ""},
		"with line ends":                 {"", record1 + encoded, "posts 1 single {\n\"id\":1}", ""},
		"of no part":                     {"", originalLine("part", "x"), "", "part: "},
		"of no kind":                     {"", originalLine("kind", "x"), "", "kind and record: "},
		"of a kind alone":                {"", originalLine("record", nil), "", "kind and record: "},
		"no hash":                        {"", originalLine("hash", "x"), "", "hash: "},
		"no time":                        {"", originalLine("fetched", nil), "", "fetched and replaced: "},
		"a time that cannot be":          {"", originalLine("replaced", "0000-06-01T00:00:00Z"), "", "fetched and replaced: "},
		"no data":                        {"", originalLine("data", nil), "", "data: "},
		"no JSON":                        {"", originalLine("data", nil, "encoded", map[string][]byte{"data": []byte("{")}), "", "data: "},
		"the key":                        {"", originalLine("data", json.RawMessage(`{"a":"kanarya\u002danahtar-12345"}`)), "", "remove the key"},
		"the key in a name":              {"", originalLine("operation", "/kanarya-anahtar-12345"), "", "remove the key"},
	} {
		t.Run(name, func(t *testing.T) {
			a := fakepaper.Archive(t)
			load := func(file string) error {
				_, err := importer.Import(t.Context(), a, strings.NewReader(file), record.Dates{}, get.NewKeyGuard("kanarya-anahtar-12345"))
				return err
			}
			if test.before == "forget" {
				if err := a.Update(t.Context(), func(tx *archive.Tx) error { return tx.Forget(record.Article, "1", true) }); err != nil {
					t.Fatal(err)
				}
			} else if err := load(test.before); err != nil {
				t.Fatal(err)
			}
			if err := load(test.file); (err == nil) != (test.err == "") || err != nil && (!strings.Contains(err.Error(), test.err) || strings.Contains(err.Error(), "anahtar-1")) {
				t.Errorf("error %v, want %q", err, test.err)
			}
			if got := strings.Join(kept(t, a), "|"); got != test.want {
				t.Errorf("kept %q, want %q", got, test.want)
			}
			var out strings.Builder
			if err := export.Originals(t.Context(), a, &out, export.Selection{}); err != nil || strings.Count(out.String(), "\n") != len(kept(t, a)) {
				t.Errorf("exported %q, %v", out.String(), err)
			}
		})
	}
}
