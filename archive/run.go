package archive

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"ayna/archive/analysis"
	"ayna/archive/database"
	"ayna/record"
)

// longestInIndex is the number of letters of a run without blanks that the full-text index has together.
const longestInIndex = 2

// longRuns returns the runs of letters without blanks in a query that are longer.
func longRuns(query string) []string {
	return slices.DeleteFunc(analysis.Runs(query), func(run string) bool { return utf8.RuneCountInString(run) <= longestInIndex })
}

// withRuns returns those of the rows whose texts have each run as it is: the index has the
// pairs of a run, which may also stand apart. Of a record that cannot be read the
// pairs must do.
func withRuns(ctx context.Context, q *database.Statements, rows []int64, runs []string, derive record.DeriveFunc) ([]int64, error) {
	without := make(map[int64]bool)
	for some := range slices.Chunk(rows, batch) {
		condition, among := q.Among(some, "$1")
		for r, err := range database.Each(ctx, q, "read the texts of a search", func(row database.Row) (*Record, error) { return scanRaw(row, nil) }, rawRecords+condition, among) {
			if err != nil {
				return nil, err
			}
			if r.Damaged || derive(&r.Record) != nil {
				continue
			}
			text := strings.Join(analysis.Runs(r.Title+"\n"+r.Spot+"\n"+r.Text), " ")
			if slices.ContainsFunc(runs, func(run string) bool { return !strings.Contains(text, run) }) {
				without[r.Row] = true
			}
		}
	}
	return slices.DeleteFunc(rows, func(row int64) bool { return without[row] }), nil
}
