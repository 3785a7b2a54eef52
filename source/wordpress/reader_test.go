package wordpress

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"ayna/record"
	"ayna/source"
	"ayna/source/encode"
)

// An archived has elements of lists as an archive has them, by types and ids.
type archived map[string]map[string]json.RawMessage

func (a archived) Some(_ context.Context, typ string, ids []string) (map[string]json.RawMessage, error) {
	some := make(map[string]json.RawMessage)
	for _, id := range ids {
		if raw := a[typ][id]; raw != nil {
			some[id] = raw
		}
	}
	return some, nil
}

func (a archived) All(_ context.Context, typ string) (map[string]json.RawMessage, error) {
	return a[typ], nil
}

func (a archived) Put(_ context.Context, changed []source.Original) error {
	for _, o := range changed {
		if a[o.Type] == nil {
			a[o.Type] = make(map[string]json.RawMessage)
		}
		a[o.Type][o.ID] = o.Data
	}
	return nil
}

// recordedOriginals returns the originals in recorded answers.
func recordedOriginals(t testing.TB) (posts []source.Original, named archived) {
	t.Helper()
	named = make(archived)
	files, err := filepath.Glob("testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list, err := encode.List(data)
		if err != nil {
			list = []json.RawMessage{data}
		}
		typ := map[string]string{
			"categories.json": categoryOf, "tags.json": tags, "users.json": users, "media.json": mediaOf, "media-of-post.json": mediaOf, "media-video.json": mediaOf,
		}[filepath.Base(file)]
		for _, raw := range list {
			e, err := encode.Read[struct{ ID number }](raw)
			switch {
			case err != nil || e.ID <= 0:
			case typ != "":
				named.Put(t.Context(), []source.Original{{Type: typ, ID: e.ID.String(), Data: raw}})
			default:
				posts = append(posts, source.Original{Type: string(Posts), ID: e.ID.String(), Data: raw})
			}
		}
	}
	return posts, named
}

// Single implements [source.Originals].
func (archived) Single(context.Context, string, string) (json.RawMessage, error) { return nil, nil }

// FuzzReader: a reader makes a record of whatever an original is, the same each time, or says
// that it cannot.
func FuzzReader(f *testing.F) {
	posts, named := recordedOriginals(f)
	for _, o := range posts {
		f.Add(o.Type, []byte(o.Data))
	}
	for typ, all := range named {
		for _, raw := range all {
			f.Add(typ, []byte(raw))
		}
	}
	f.Add("pages", []byte(`{"id":"7","content":[],"categories":{"0":1,"2":"x"},"tags":[[]],"author":{},"sehirler":[null,1e9]}`))
	f.Fuzz(func(t *testing.T, typ string, data []byte) {
		if !json.Valid(data) { // the archive keeps none
			return
		}
		s, err := New(Config{BaseURL: "https://kiyi.example", Columns: []string{"yazarlar"}, Connection: source.Connection{
			Originals: named, Found: map[string]string{taxonomiesFound: "sehirler,title"},
		}})
		if err != nil {
			t.Fatal(err)
		}
		original := []source.Original{{Type: typ, ID: "7", Data: data}}
		first, err := s.Read(t.Context(), original)
		again, err2 := s.Read(t.Context(), original)
		if err != nil || err2 != nil || len(first) != 1 || fmt.Sprint(first) != fmt.Sprint(again) {
			t.Fatalf("%v, %v, %v, %v", first, err, again, err2)
		}
		if first[0].Err != nil {
			return
		}
		for _, raw := range []json.RawMessage{first[0].List, first[0].Single} {
			if _, err := record.ID(raw); err != nil {
				t.Errorf("%s: %v", raw, err)
			}
		}
	})
}
