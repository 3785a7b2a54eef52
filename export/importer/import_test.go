package importer_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/export"
	"ayna/export/importer"
	"ayna/generator/site"
	"ayna/record"
	"ayna/source/get"
	"ayna/testrun/attack"
	"ayna/testrun/fakepaper"
)

// lineOf is a line as JSONL writes it, of an article with list JSON; more
// fields replace those of the line, and nil removes one.
func lineOf(id string, fields ...any) string {
	list := fmt.Sprintf(`{"Id":%q,"Title":"x","Path":"/spor/"}`, id)
	sum := sha256.Sum256([]byte(list + "\x00"))
	line := map[string]any{
		"kind": "article", "id": id, "hash": hex.EncodeToString(sum[:]), "list": json.RawMessage(list),
		"seen": "2026-09-01T10:00:00Z", "listed": "2026-09-01T10:00:00Z",
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

// A line that is no record is refused with its number and the reason.
func TestLinesRefused(t *testing.T) {
	t.Parallel()
	a := fakepaper.Archive(t)
	for _, test := range []struct{ name, line, want string }{
		{"hash of 65 digits", lineOf("1", "hash", strings.Repeat("a", 65)), "hash: "},
		{"hash of 66 digits", lineOf("1", "hash", strings.Repeat("a", 66)), "hash: "},
		{"hash of a million digits", lineOf("1", "hash", strings.Repeat("a", 1_000_000)), "hash: "},
		{"hash of 62 digits", lineOf("1", "hash", strings.Repeat("a", 62)), "hash: "},
		{"no hash", lineOf("1", "hash", nil), "hash: "},
		{"hash of other letters", lineOf("1", "hash", strings.Repeat("z", 64)), "hash: "},
		{"unknown kind", lineOf("1", "kind", "../x"), "not a record"},
		{"no id", lineOf("", "id", ""), "not a record"},
		{"no seen", lineOf("1", "seen", nil), "seen: the time is missing"},
		{"seen in the year 1", lineOf("1", "seen", "0001-01-01T00:00:00Z"), "seen: the time is missing"},
		{"no listed", lineOf("1", "listed", nil), "listed: the time is missing"},
		{"seen in the year 0", lineOf("1", "seen", "0000-06-01T00:00:00Z"), "year is not"},
		{"fetched in the year 10000", lineOf("1", "fetched", "9999-12-31T23:59:59-23:00"), "year is not"},
		{"no JSON", lineOf("1", "list", nil), "missing"},
		{"JSON that is no object", lineOf("1", "list", 5), "list"},
		{"JSON of another record", lineOf("1", "id", "2"), "list: the JSON is of another record"},
		{"single JSON of another record", lineOf("1", "single", json.RawMessage(`{"Id":"2"}`)), "single: the JSON is of another record"},
	} {
		got, err := importer.Import(t.Context(), a, strings.NewReader("\n"+lineOf(test.name)+test.line+lineOf("8")), record.Dates{}, nil)
		if !errors.Is(err, importer.ErrLine) || !strings.Contains(err.Error(), "line 3 ") || !strings.Contains(err.Error(), test.want) || len(err.Error()) > 400 {
			t.Errorf("%s: %v", test.name, err)
		}
		if got.Stored != 1 {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

// An error has no part of the file, which may hold a key, and a record with the source's
// key is refused.
func TestNoContentInErrors(t *testing.T) {
	t.Parallel()
	const key = "kanarya-anahtar-12345"
	a := fakepaper.Archive(t)
	inList := func(list string) string {
		sum := sha256.Sum256([]byte(list + "\x00"))
		return lineOf("1", "list", json.RawMessage(list), "hash", hex.EncodeToString(sum[:]))
	}
	for name, line := range map[string]string{
		"no JSON":             key + "\n",
		"hash":                lineOf("1", "hash", key),
		"kind":                lineOf("1", "kind", key),
		"id":                  lineOf(key, "hash", strings.Repeat("0", 64)),
		"id of another":       lineOf("1", "id", key),
		"id in the JSON":      inList(`{"Id":"` + key + `"}`),
		"time":                lineOf("1", "seen", key),
		"number":              lineOf("1", "address", json.RawMessage("1234512345")),
		"base64":              lineOf("1", "encoded", map[string]string{"single": key}),
		"date":                inList(`{"Id":"1","StartDate":"` + key + `"}`),
		"key in a title":      inList(`{"Id":"1","Title":"` + key + `"}`),
		"key with an escape":  inList(`{"Id":"1","Title":"\u006b` + key[1:] + `"}`),
		"key with a comment":  inList(`{"Id":"1","Text":"kanarya<!-- -->` + key[7:] + `"}`),
		"key in the address":  lineOf("1", "address", key+"-1.html"),
		"key in an odd field": inList(`{"Id":"1","Not":"` + key + `"}`),
	} {
		got, err := importer.Import(t.Context(), a, strings.NewReader(line), record.Dates{}, get.NewKeyGuard(key))
		if !errors.Is(err, importer.ErrLine) || got.Stored != 0 {
			t.Errorf("%s: %+v, %v", name, got, err)
		} else if text := err.Error(); strings.Contains(text, "anahtar") || strings.Contains(text, "12345") {
			t.Errorf("%s: the error has content of the file: %v", name, err)
		}
	}
}

// An address is taken if this program could have given it to the record.
func TestAddresses(t *testing.T) {
	t.Parallel()
	a := fakepaper.Archive(t)
	lines := lineOf("1", "address", "spor/eski-baslik-1.html") + lineOf("2") + lineOf("3", "address", "index.html") + lineOf("4", "address", "spor/x-1.html")
	want := importer.Imported{Stored: 4, Readdressed: 2}
	for i, hostile := range append(attack.For(attack.Path), attack.Traversals()[:100]...) {
		id := fmt.Sprint(100 + i)
		lines += lineOf(id, "address", hostile+"-"+id+".html")
		want.Stored++
		want.Readdressed++
	}
	for range 2 {
		got, err := importer.Import(t.Context(), a, strings.NewReader(lines), record.Dates{}, nil)
		if err != nil || got != want {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
		want = importer.Imported{Kept: want.Stored + want.Kept}
	}
	for id, address := range map[string]string{"1": "spor/eski-baslik-1.html", "2": "", "3": "", "4": ""} {
		if r, err := a.Records.Get(t.Context(), record.Article, id); err != nil || r.Address != address {
			t.Errorf("record %s: %q, %v", id, r.Address, err)
		}
	}
}

// What an imported record says of a forgotten one is not stored.
func TestImportedMentions(t *testing.T) {
	t.Parallel()
	const list = `{"Id":"1","Title":"x","RelatedNews":[{"Id":"2","Title":"silinen"},{"Id":"3","Title":"kalan"}]}`
	sum := sha256.Sum256([]byte(list + "\x00"))
	line := lineOf("1", "list", json.RawMessage(list), "hash", hex.EncodeToString(sum[:]))
	a := fakepaper.Archive(t)
	fakepaper.Update(t, a, func(tx *archive.Tx) error { return tx.Forget(record.Article, "2", true) })
	if got, err := importer.Import(t.Context(), a, strings.NewReader(line), record.Dates{}, nil); err != nil || got.Stored != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	r, err := a.Records.Get(t.Context(), record.Article, "1")
	if err != nil || r.Damaged || strings.Contains(string(r.List), "silinen") || len(r.Related) != 1 || r.Related[0].Title != "kalan" {
		t.Errorf("%s, related %v, damaged %v, %v", r.List, r.Related, r.Damaged, err)
	}
}

// FuzzImport: whatever the lines are, they are refused as such, or what was
// stored can be exported, read back, and exported again with the same bytes.
// After the lines comes one of the fields, with the hash of its JSON.
func FuzzImport(f *testing.F) {
	f.Add([]byte(lineOf("2", "address", "spor/x-2.html", "vanished", "2026-09-02T10:00:00Z")), "article", "1", "spor/x-1.html", "2026-09-01T10:00:00Z", []byte(`{"Id":"1"}`))
	f.Add([]byte(lineOf("1", "hash", strings.Repeat("a", 66))), "writer", "ş/../5", "../x", "9999-12-31T23:59:59-23:59", []byte("{\"Id\":\r\n\"ş/../5\"}"))
	f.Add([]byte(lineOf("1", "found", json.RawMessage(`{"Id":"1"}`), "kind", "video")), "folder", "7", "index.html", "0001-01-01T00:00:00Z", []byte(`{"Id":7,"Path":"/a/"}`))
	f.Add([]byte(originalLine()), "article", "1", "", "2026-09-01T10:00:00Z", []byte(`{"Id":"1"}`))
	f.Fuzz(func(t *testing.T, lines []byte, kind, id, address, seen string, list []byte) {
		sum := sha256.Sum256(append(bytes.Clone(list), 0))
		line := lineOf(id, "kind", kind, "address", address, "seen", seen, "listed", seen, "list", nil, "encoded", map[string][]byte{"list": list}, "hash", hex.EncodeToString(sum[:]))
		a, again := fakepaper.Archive(t), fakepaper.Archive(t)
		stored := 0
		for _, text := range []string{string(lines), line} {
			imported, err := importer.Import(t.Context(), a, strings.NewReader(text), record.Dates{}, nil)
			if err != nil && !errors.Is(err, importer.ErrLine) {
				t.Fatalf("an error that names no line: %v", err)
			}
			stored += imported.Stored
		}
		first := exported(t, a)
		if n := bytes.Count(first, []byte("\n")); n != stored {
			t.Errorf("%d lines of %d records", n, stored)
		}
		if _, err := importer.Import(t.Context(), again, bytes.NewReader(first), record.Dates{}, nil); err != nil {
			t.Errorf("what was exported cannot be read back: %v\n%s", err, first)
		}
		if second := exported(t, again); !bytes.Equal(first, second) {
			t.Errorf("exported again:\n%s\nwant\n%s", second, first)
		}
		for l, err := range a.Catalog.Summaries(t.Context(), nil) {
			if err != nil || l.Address != "" && !site.IsItemAddress(l.Address, l.ID) {
				t.Errorf("%s %q is at %q, %v", l.Kind, l.ID, l.Address, err)
			}
		}
	})
}

func exported(t *testing.T, a *archive.Archive) []byte {
	t.Helper()
	var lines bytes.Buffer
	if damaged, err := export.JSONL(t.Context(), a.Records, &lines, export.Selection{}, nil); err != nil || len(damaged) > 0 {
		t.Fatal(damaged, err)
	}
	return lines.Bytes()
}
