package wordpress

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayna/source/encode"
)

var update = flag.Bool("update", false, "write the golden files anew")

// answers reads the elements of recorded answers. Some are one object.
func answers[T any](t *testing.T, id func(T) number, names ...string) map[number]T {
	t.Helper()
	all := make(map[number]T)
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		list := []json.RawMessage{data}
		if data = bytes.TrimSpace(data); data[0] == '[' {
			if err := json.Unmarshal(data, &list); err != nil {
				t.Fatal(err)
			}
		}
		for _, raw := range list {
			value, err := encode.Read[T](raw)
			if err != nil {
				t.Fatal(name, err)
			}
			all[id(value)] = value
		}
	}
	return all
}

// TestRecorded makes records of the answers of a real WordPress.
func TestRecorded(t *testing.T) {
	l := lexicon{
		categories: answers(t, func(t term) number { return t.ID }, "categories"), tags: answers(t, func(t term) number { return t.ID }, "tags"),
		users: answers(t, func(u user) number { return u.ID }, "users"), media: answers(t, func(m media) number { return m.ID }, "media", "media-of-post", "media-video"),
	}
	names, err := filepath.Glob("testdata/post-*.json")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range append(names, "testdata/custom-type.json") {
		name = strings.TrimSuffix(filepath.Base(name), ".json")
		for _, p := range answers(t, func(p post) number { return p.ID }, name) {
			b.WriteString("== " + name + "\n")
			if p.isProtected() {
				b.WriteString("protected\n")
				continue
			}
			if p.rest = "posts"; name == "custom-type" {
				p.rest = "etkinlikler"
				p.terms = termsIn(answers(t, func(json.RawMessage) number { return 0 }, name)[0], []string{"author", "konular", "sehirler", "title"})
			}
			single, notes := l.single(p)
			for _, r := range []item{l.list(p), single} {
				var indented bytes.Buffer
				if err := json.Indent(&indented, encode.Encode(r), "", "\t"); err != nil {
					t.Fatal(err)
				}
				b.WriteString(indented.String() + "\n")
			}
			b.WriteString("notes: " + notes.String() + "\n")
		}
	}
	const golden = "testdata/records.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || b.String() != string(want) {
		t.Errorf("%v: the records differ from %s; look at them with -update", err, golden)
	}
}
