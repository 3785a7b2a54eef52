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

// Doubted records are told of in each run; only the failure with which a doubt begins makes a
// run partial.
func TestDoubtedRecords(t *testing.T) {
	for _, test := range []struct {
		doubted int
		failed  []fetch.Failure
		want    int
	}{
		{0, nil, exitOK},
		{2, nil, exitOK},
		{2, []fetch.Failure{{Kind: record.Article, ID: "1", Operation: "articles"}}, exitPartial},
	} {
		report := &generator.Report{Sync: &fetch.Report{Failed: test.failed, Kinds: map[record.Kind]*fetch.Count{record.Article: {Doubted: test.doubted}, record.Video: {}}}}
		if code := exitCode(context.Background(), report, nil); code != test.want {
			t.Errorf("%d doubted: exit code %d, want %d", test.doubted, code, test.want)
		}
		var out, errors bytes.Buffer
		newConsole(&app{stdout: &out, stderr: &errors, config: new(config.Config)}).finish(report, nil)
		if told := strings.Contains(out.String(), "doubted:  2 records"); told != (test.doubted > 0) {
			t.Errorf("%d doubted: %s", test.doubted, &out)
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
