package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"ayna/generator"
)

var statusSpec = spec{
	use: "status", short: "Print the last runs, what waits and what is doubted",
	long: `Print the last runs, how many records have not arrived in full and when they will have,
which answers of the source are doubted, and what was not understood. No request is made.
The archive keeps the last 1,000 runs, which --json prints all. A run that ended without a
word shows as killed.`,
	example: "  ayna status\n  ayna status --json",
	flags:   "config json",
	run:     failing((*app).status),
}

func (a *app) status(ctx context.Context, _ string) error {
	if err := a.loadAndCheckPaths(); err != nil {
		return err
	}
	s, err := generator.ReadStatus(ctx, a.options(ctx, nil))
	if err != nil {
		return err
	}
	if a.json {
		encoder := json.NewEncoder(a.stdout)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(s); err != nil {
			return fmt.Errorf("print the status: %w", err)
		}
		return nil
	}
	a.printRuns(s)
	a.stdout = a.folded()
	a.printWaiting(s)
	a.printDoubts(s)
	a.printNotes(s.Notes)
	return nil
}

// The runs and doubts that a table shows.
const shownRuns, shownDoubts = 10, 10

func (a *app) printRuns(s generator.Status) {
	if len(s.Runs) == 0 {
		fmt.Fprintln(a.stdout, "runs:     none")
		return
	}
	table := tabwriter.NewWriter(a.stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "started\tcommand\texit\trequests\tnew\tchanged\tdoubted\tMB\tseconds\t")
	for i, r := range s.Runs[max(0, len(s.Runs)-shownRuns):] {
		isLast := i == min(len(s.Runs), shownRuns)-1
		fmt.Fprintf(table, "%s\t%s\t%s\t", r.Started.Local().Format("2006-01-02 15:04"), printable(r.Command), ended(r, isLast && s.Running))
		if r.Ended.IsZero() {
			fmt.Fprintln(table, "\t\t\t\t\t\t")
			continue
		}
		fmt.Fprintf(table, "%d\t%d\t%d\t%d\t%.1f\t%.1f\t\n", r.Requests, r.New, r.Changed, r.Doubted, float64(r.Bytes)/1e6, r.Seconds)
	}
	table.Flush()
}

// ended says how a run ended: by its exit code, or not at all.
func ended(r generator.Run, isRunning bool) string {
	switch {
	case !r.Ended.IsZero():
		return strconv.Itoa(r.Exit)
	case isRunning:
		return "running"
	}
	return "killed"
}

func (a *app) printWaiting(s generator.Status) {
	fmt.Fprintf(a.stdout, "waiting:  %d of %d records have not been fetched in full yet", s.Waiting, s.Known)
	if s.CompleteAt != nil {
		fmt.Fprintf(a.stdout, "; at this rate the mirror is complete by %s", s.CompleteAt.Local().Format("2 Jan 15:04"))
	}
	fmt.Fprintln(a.stdout)
	if s.Comments > 0 {
		fmt.Fprintf(a.stdout, "comments: %d of readers\n", s.Comments)
	}
}

func (a *app) printDoubts(s generator.Status) {
	fmt.Fprintf(a.stdout, "doubted:  %d answers contradict what is kept, which stays until they have been the same for days\n", len(s.Doubts)+s.DoubtsMore)
	for _, d := range s.Doubts[:min(len(s.Doubts), shownDoubts)] {
		fmt.Fprintf(a.stdout, "          %s %s: %s: %s; seen %d times, last %s\n", d.Kind, printable(d.ID), cmp.Or(d.Why, d.Part), printable(d.Claim), d.Times, d.Last.Local().Format(time.DateTime))
	}
	if more := len(s.Doubts) + s.DoubtsMore - shownDoubts; more > 0 {
		fmt.Fprintf(a.stdout, "          and %d more; --json shows a thousand\n", more)
	}
}
