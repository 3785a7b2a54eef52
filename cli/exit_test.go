package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"ayna/fetch"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/record"
)

// A record with an answer that is not believed yet is stale.
func TestDoubtedRecordsAreStale(t *testing.T) {
	for doubted, want := range map[int]int{0: exitOK, 2: exitPartial} {
		report := &generator.Report{Sync: &fetch.Report{Kinds: map[record.Kind]*fetch.Count{record.Article: {Doubted: doubted}, record.Video: {}}}}
		if code := exitCode(context.Background(), report, nil); code != want {
			t.Errorf("%d doubted: exit code %d, want %d", doubted, code, want)
		}
		var out, errors bytes.Buffer
		newConsole(&app{stdout: &out, stderr: &errors, config: new(config.Config)}).finish(report, nil)
		if told := strings.Contains(out.String(), "doubted:  2 records"); told != (doubted > 0) {
			t.Errorf("%d doubted: %s", doubted, &out)
		}
	}
}

// Deletions that are withheld need somebody, so they come before a used-up budget.
func TestWithheldComesBeforeBudget(t *testing.T) {
	report := &generator.Report{Sync: &fetch.Report{Kinds: map[record.Kind]*fetch.Count{record.Article: {Withheld: 11}}}}
	for err, want := range map[error]int{nil: exitWithheld, fetch.ErrBudget: exitWithheld, fetch.ErrDown: exitDown} {
		if code := exitCode(t.Context(), report, err); code != want {
			t.Errorf("%v: exit code %d, want %d", err, code, want)
		}
	}
}
