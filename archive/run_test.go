package archive_test

import (
	"encoding/json"
	"slices"
	"testing"

	"ayna/archive"
	"ayna/record"
)

// A run of letters without blanks is found as it is, not by pairs that stand apart.
func TestSearchFindsRuns(t *testing.T) {
	texts := []string{
		"東京都の選挙",
		"東京の京都府に都の選",           // every pair of 東京都, but not the run
		"京都と東京・都",              // a run ends at a mark
		"京都の東京、都内",             // an end of a run between
		"ภาษาไทยวันนี้",        // Thai
		"ไทยภาษา วันนี้ ภาษาไ", // its pairs, but one
	}
	derive := func(r *record.Record) error {
		var fields struct{ Title string }
		err := json.Unmarshal(r.List, &fields)
		r.Title, r.Text = "", fields.Title
		return err
	}
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		for i, text := range texts {
			r := article(string(rune('a'+i)), text, -i)
			r.Text, r.Title = text, ""
			put(t, a, r, noon)
		}
		broken := article("x", "東京 京都", -9) // its JSON cannot be read: the pairs must do
		broken.List, broken.Text = []byte(`東京`), "東京 京都"
		put(t, a, broken, noon)
		for query, want := range map[string][]int64{
			"東京都": {1, 7}, "トウキョウ都": nil, "東京": {1, 2, 3, 4, 7}, "東京都の選": {1}, "東京都 選挙": {1}, "京都府": {2},
			"ภาษาไทย": {5}, "ภาษา": {5, 6}, "都": {1, 2, 3, 4, 7}, "都内": {4},
		} {
			for name, find := range map[string]func() ([]int64, error){
				"search": func() ([]int64, error) { return a.Reader().Search(ctx, query, nil, derive) },
				"saved":  func() ([]int64, error) { return a.Index.Saved(ctx, query, derive) },
				"words": func() (rows []int64, err error) {
					holds, err := a.Index.Holds(ctx, query, derive)
					for row := int64(1); err == nil && row <= 7; row++ {
						if holds(row) {
							rows = append(rows, row)
						}
					}
					return rows, err
				},
			} {
				got, err := find()
				if name == "words" && query == "都" {
					continue // a whole word: the last letter of a run
				}
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%s of %s: %v, %v, want %v", name, query, got, err, want)
				}
			}
		}
	})
}
