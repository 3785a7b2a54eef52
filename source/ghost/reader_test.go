package ghost

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"ayna/record"
	"ayna/source"
	"ayna/source/encode"
)

// FuzzReader: a reader makes a record of whatever an original is, the same each time, or says
// that it cannot.
func FuzzReader(f *testing.F) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for typ, list := range encode.Fields(data) {
			for element := range encode.Elements(list) {
				f.Add(typ, []byte(element))
			}
		}
	}
	f.Add("posts", []byte(`{"id":"6b040000000000000000000d","tags":{},"authors":[[]],"html":[],"primary_tag":7,"published_at":{}}`))
	f.Fuzz(func(t *testing.T, typ string, data []byte) {
		if !json.Valid(data) { // the archive keeps none
			return
		}
		s, err := New(Config{BaseURL: "https://zeytin.example", Connection: source.Connection{Found: map[string]string{hostFound: "zeytin.example"}}})
		if err != nil {
			t.Fatal(err)
		}
		original := []source.Original{{Type: typ, ID: "7", Data: s.kept(data)}}
		first, err := s.Read(t.Context(), original)
		again, err2 := s.Read(t.Context(), original)
		if err != nil || err2 != nil || len(first) != 1 || fmt.Sprint(first) != fmt.Sprint(again) {
			t.Fatalf("%v, %v, %v, %v", first, err, again, err2)
		}
		if first[0].Err != nil {
			return
		}
		for _, raw := range []json.RawMessage{first[0].List, first[0].Single} {
			if id, err := record.ID(raw); err != nil || id == "" {
				t.Errorf("%s: %q, %v", raw, id, err)
			}
		}
	})
}
