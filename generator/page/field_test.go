package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// invisible are the fields that no page shows, or not beside the others of the
// record in the fixture.
var invisible = map[record.Kind]string{
	record.Folder: "Path",
	record.Writer: "ContentType CreatedDate Path",
	record.Page:   "CreatedDate Url",
}

// TestEveryFieldIsPublished changes each field of a record of each kind. If a
// file changes, so does the archive's generation: a build does not take the
// site for up to date. A field that nobody expects to be invisible changes a
// file.
func TestEveryFieldIsPublished(t *testing.T) {
	testrun.NotShort(t)
	w := newWorld(t, "tr")
	tried := make(map[record.Kind]bool)
	for _, r := range w.records {
		raw := r.Single
		if raw == nil {
			raw = r.List
		}
		if tried[r.Kind] || w.gone[r.ID] {
			continue
		}
		tried[r.Kind] = true
		t.Run(string(r.Kind), func(t *testing.T) {
			e := newEdited(t)
			var fields map[string]any
			if err := json.Unmarshal(raw, &fields); err != nil {
				t.Fatal(err)
			}
			var unseen []string
			for _, name := range slices.Sorted(maps.Keys(fields)) {
				if name == "Id" || name == "_Id" {
					continue
				}
				e.replace(t, r, raw)
				before, _ := e.render(t)
				generation := e.generation(t)
				changed := maps.Clone(fields)
				changed[name] = altered(fields[name])
				edited, err := json.Marshal(changed)
				if err != nil {
					t.Fatal(err)
				}
				e.replace(t, r, edited)
				now := e.generation(t)
				after, _ := e.render(t)
				after.checkKeys(t, before)
				switch {
				case maps.EqualFunc(before.files, after.files, bytes.Equal):
					unseen = append(unseen, name)
				case now == generation:
					t.Errorf("%s changes files, but not the archive's generation", name)
				}
			}
			if got := strings.Join(unseen, " "); got != invisible[r.Kind] {
				t.Errorf("no file shows %q, want %q", got, invisible[r.Kind])
			}
		})
	}
	if len(tried) < 6 {
		t.Errorf("only %d kinds have records", len(tried))
	}
}

// replace puts a record with that JSON in the archive.
func (e *edited) replace(t *testing.T, r *archive.Record, raw []byte) {
	t.Helper()
	next := fakepaper.Raw(r.Kind, "", string(raw))
	if r.Single == nil {
		next = fakepaper.Raw(r.Kind, string(raw), "")
	}
	put(t, e.Archive, []*archive.Record{next})
}

func (e *edited) generation(t *testing.T) string {
	t.Helper()
	generation, err := e.State.Generation(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return generation
}

// altered returns another value of the same type.
func altered(value any) any {
	switch v := value.(type) {
	case string:
		if at, err := time.Parse(time.RFC3339, v); err == nil {
			return at.AddDate(0, 0, 1).Format(time.RFC3339)
		}
		if strings.HasPrefix(v, "/") {
			return "/degisti" + v
		}
		return v + " değişti"
	case float64:
		return v + 1
	case bool:
		return !v
	case []any:
		next := slices.Clone(v)
		for i := range next {
			next[i] = altered(next[i])
		}
		return next
	case map[string]any:
		next := make(map[string]any)
		for name, inner := range v {
			next[name] = altered(inner)
		}
		return next
	}
	return fmt.Sprint("değişti ", value)
}
