package cli

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/mattn/go-isatty"

	"ayna/archive"
	"ayna/export/importer"
	"ayna/fetch"
	"ayna/generator"
	"ayna/generator/output"
	"ayna/record"
)

// console prints the progress of a command to stderr and the summary of a run to
// stdout.
type console struct {
	*app
	start    time.Time
	terminal bool // progress overwrites its line

	mu      sync.Mutex
	stage   generator.Stage
	began   time.Time // when the stage began
	line    string    // its progress
	printed time.Time // when the line was printed
}

func newConsole(a *app) *console {
	f, isFile := a.stderr.(*os.File)
	return &console{app: a, start: time.Now(), terminal: isFile && isatty.IsTerminal(f.Fd())}
}

// finish ends the last stage and prints the errors and the summary of a run.
func (c *console) finish(report *generator.Report, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endStage()
	before := c.stdout
	c.stdout = c.folded()
	defer func() { c.stdout = before }()
	if c.quiet && !c.verbose && isRoutine(report.Exit) {
		c.warnOfIDs(report, err)
		c.warnOfDiffering(report)
		return
	}
	if err != nil && !(c.quiet && errors.Is(err, fetch.ErrBudget)) {
		c.printError(report.Exit, err, c.hint(report.Exit, err))
	}
	c.printFailures(report)
	c.warnOfIDs(report, err)
	c.warnOfDiffering(report)
	if !c.quiet {
		for _, warning := range report.Warnings {
			fmt.Fprintf(c.stderr, "%s: %s\n", c.name, printable(warning))
		}
		c.printSummary(report, err)
	}
}

// text returns what finish prints without --quiet.
func (c *console) text(report *generator.Report, err error) string {
	var b strings.Builder
	loud := *c.app
	loud.stdout, loud.stderr, loud.quiet, loud.columns = &b, &b, false, 0
	(&console{app: &loud, start: c.start}).finish(report, err)
	return b.String()
}

// isPublished reports whether a run that ended with err has published a site.
func isPublished(report *generator.Report, err error) bool {
	return report.Files != nil && (err == nil || fetch.IsComplete(err))
}

// warnOfIDs warns of a site whose entries all have new ids.
func (c *console) warnOfIDs(report *generator.Report, err error) {
	if isPublished(report, err) && report.IDs != nil {
		fmt.Fprintf(c.stderr, "%s: feed readers show every entry as new: ids begin with %s instead of %s; to keep the old ids, set feeds.id_authority and feeds.id_date to their old values and build again\n",
			c.name, report.IDs.Now, report.IDs.Before)
	}
}

// warnOfDiffering warns of files that earlier builds should have rendered.
func (c *console) warnOfDiffering(report *generator.Report) {
	if f := report.Files; f != nil && len(f.Differing) > 0 {
		fmt.Fprintf(c.stderr, "%s: %d published files were out of date, such as %s; they are written now, and the next build renders all files; this is a fault of the program: please report it\n",
			c.name, len(f.Differing), printable(f.Differing[0]))
	}
}

// printFailures prints what failed, at most ten lines unless --verbose is set, and the
// number of withheld deletions.
func (c *console) printFailures(report *generator.Report) {
	var lines []string
	if report.Reread != nil {
		for _, f := range report.Reread.Stale {
			lines = append(lines, fmt.Sprintf("%s %s: %s", f.Kind, f.ID, f.Reason))
		}
	}
	if report.Sync != nil {
		for _, f := range report.Sync.Failed {
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s", f.Operation, f.ID))+": "+f.Reason)
		}
		if n := report.Sync.FailedMore; n > 0 {
			lines = append(lines, fmt.Sprintf("%d more failures, which the report only counts", n))
		}
	}
	var failed output.Failures
	if report.Files != nil {
		failed = report.Files.Failed
	}
	if report.Hub != nil {
		failed = slices.Concat(failed, report.Hub.Failed)
	}
	for _, f := range failed {
		lines = append(lines, f.Path+": "+f.Err.Error())
	}
	if report.Check != nil {
		lines = append(lines, report.Check.Archive...)
		lines = append(lines, report.Check.Site...)
	}
	const most = 10
	for i, line := range lines {
		if i == most && !c.verbose {
			fmt.Fprintf(c.stderr, "%s: and %d more; -v or --report shows them all\n", c.name, len(lines)-most)
			break
		}
		fmt.Fprintf(c.stderr, "%s: %s\n", c.name, printable(line))
	}
	if u := report.Unread; u != nil && u.New > 0 {
		fmt.Fprintf(c.stderr, "%s: records with dates that cannot be read: %d, such as %s %s (%s); %s\n",
			c.name, u.Records, u.Kind, printable(u.ID), printable(u.Date), unreadAdvice(u.Ambiguous))
	}
	if n := report.Withheld(); n > 0 {
		fmt.Fprintf(c.stderr, "%s: withheld: %d records look gone from the source, too many to delete at once; check whether they were removed on purpose; if so, build with --allow-delete %d\n", c.name, n, n)
	}
}

// unreadAdvice says what to do about dates that cannot be read.
func unreadAdvice(ambiguous bool) string {
	const where = "no feed has these items"
	if ambiguous {
		return where + "; write source.dates: dmy (day first) or mdy into site.yaml, and build again"
	}
	return where + "; ask the source for dates as 2026-10-30T09:08:51Z"
}

// plurals are the kinds as the summary names them.
var plurals = map[record.Kind]string{
	record.Article: "articles", record.Column: "columns", record.Gallery: "galleries", record.Video: "videos",
	record.Page: "pages", record.Writer: "writers", record.Folder: "folders",
	record.Comment: "comments",
}

// printReread prints how many records another reader had made.
func (c *console) printReread(r *fetch.Reread) {
	if r != nil && r.Records > 0 {
		fmt.Fprintf(c.stdout, "read:     %d records are made anew of what the source has sent\n", r.Records)
	}
	if r != nil && r.Wanting > 0 {
		fmt.Fprintf(c.stdout, "          %d of them show what is not in the archive yet; later runs fetch it\n", r.Wanting)
	}
}

// printNotes prints what readers have not understood, a line for each kind.
func (a *app) printNotes(notes []archive.Note) {
	label := "notes:"
	for _, n := range notes {
		fmt.Fprintf(a.stdout, "%-9s %s\n", label, noted(n))
		label = ""
	}
}

// noted returns a note in words.
func noted(n archive.Note) string {
	have, example := "records have", n.Example.URL
	if n.Records == 1 {
		have = "record has"
	}
	if example == "" {
		example = fmt.Sprintf("%s %s", n.Example.Kind, n.Example.ID)
	}
	return fmt.Sprintf("%d %s %s, as %s", n.Records, have, n.Kind.Words(), printable(example))
}

func (c *console) printSummary(report *generator.Report, err error) {
	var records []string
	waiting := 0
	for _, kind := range append(slices.Clone(record.Kinds), record.Comment) {
		if count := report.Records[kind]; count.Records > 0 {
			records = append(records, fmt.Sprintf("%d %s", count.Records, plurals[kind]))
			waiting += count.Waiting
		}
	}
	if len(records) > 0 {
		fmt.Fprintln(c.stdout, "archive:  "+strings.Join(records, ", "))
	}
	if waiting > 0 {
		fmt.Fprintf(c.stdout, "waiting:  %d records have not been fetched in full yet%s\n", waiting, completion(report.Sync))
	}
	c.printReread(report.Reread)
	c.printNotes(report.Notes)
	if report.Sync != nil {
		c.printSync(report.Sync)
	}
	if report.Forgotten != nil {
		c.printForgotten(report.Forgotten)
	}
	if report.Import != nil {
		c.printImport(report.Import)
	}
	if k := report.Check; k != nil && err == nil {
		fmt.Fprintf(c.stdout, "check:    %d records and %d files are as they should be\n", k.Records, k.Files)
	}
	if isPublished(report, err) {
		c.printSite(report.Files)
	}
	fmt.Fprintf(c.stdout, "time:     %.1f s\n", time.Since(c.start).Seconds())
}

// printSync sums up what a run fetched from the source, and what it found there.
func (c *console) printSync(s *fetch.Report) {
	n := changes(s)
	fmt.Fprintf(c.stdout, "source:   %d requests, %d new, %d changed, %d fetched, %d pictures, %d failed\n",
		s.Requests.Sent, n.New, n.Changed, n.Fetched, s.Pictures.Fetched, len(s.Failed)+s.FailedMore)
	if a := s.Attachments; a != nil && a.Requests+a.Waiting > 0 {
		fmt.Fprintf(c.stdout, "files:    %d attachments fetched, %d unchanged, %d too large, %d wait for later runs; %.1f MB\n", a.Fetched, a.Unchanged, a.TooLarge, a.Waiting, float64(a.Bytes)/1e6)
	}
	if ahead := time.Duration(s.Requests.Ahead) * time.Second; ahead != 0 {
		fmt.Fprintf(c.stdout, "clock:    the source's clock is %s ahead of this machine's (negative: behind)\n", ahead)
	}
	for _, warning := range s.Warnings {
		fmt.Fprintf(c.stdout, "warning:  %s\n", printable(warning))
	}
	for _, f := range s.Source {
		if f.Before != "" {
			fmt.Fprintf(c.stdout, "learned:  %s: %s; it was %s\n", f.Question, printable(f.Answer), printable(f.Before))
		}
	}
	if n := s.Doubted(); n > 0 {
		fmt.Fprintf(c.stdout, "doubted:  %d records: the source's answer is older than before, or has lost content; the earlier version stays until the answer has been the same for days\n", n)
	}
	c.printUnstable(s)
	if n.Gone > 0 {
		fmt.Fprintf(c.stdout, "gone:     %d records are gone from the source\n", n.Gone)
	}
}

// printForgotten names the record that was removed for good.
func (c *console) printForgotten(f *generator.Forgotten) {
	absent := ""
	if !f.Stored {
		absent = ", which was not in the archive; it will not be stored later"
	}
	fmt.Fprintf(c.stdout, "forgotten: %s %s%s\n", f.Kind, printable(f.ID), absent)
	if f.Stored {
		fmt.Fprintln(c.stdout, "           copies made before (backups, packs, exports, other hosts) still hold it; make them anew")
	}
}

// printImport sums up what was read from a file.
func (c *console) printImport(i *importer.Imported) {
	fmt.Fprintf(c.stdout, "import:   %d records stored, %d were there or are forgotten\n", i.Stored, i.Kept)
	if i.Originals > 0 {
		fmt.Fprintf(c.stdout, "          %d originals stored\n", i.Originals)
	}
	if i.Readdressed > 0 {
		fmt.Fprintf(c.stdout, "          %d of the stored ones get new addresses, because the file has addresses of another form\n", i.Readdressed)
	}
}

// printUnstable names the lists whose order changes between requests.
func (c *console) printUnstable(r *fetch.Report) {
	for _, operation := range slices.Sorted(maps.Keys(r.Lists)) {
		if list := r.Lists[operation]; list.Unstable {
			fmt.Fprintf(c.stdout, "order:    the list %s changes its order between requests; %d of %d passes in a row found nothing new\n",
				operation, list.Agreed, fetch.EnoughPasses)
		}
	}
}

// printSite prints the size of the site, its place, and how to open it.
func (c *console) printSite(f *output.Result) {
	fmt.Fprintf(c.stdout, "site:     %d files, %.1f MB, %d written, %d unchanged, %d removed\n",
		f.Files(), float64(f.Bytes)/1e6, f.Written, f.Unchanged, f.Removed)
	index := filepath.Join(c.config.Output, "index.html")
	if absolute, err := filepath.Abs(index); err == nil {
		index = absolute
	}
	serve := ", or http://127.0.0.1:8080/ after " + c.serveCommand
	switch {
	case c.out != "":
		serve = "" // it serves the configuration's output
	case c.configFile != "site.yaml":
		serve += " --config " + c.configFile
	}
	fmt.Fprintf(c.stdout, "open:     %s%s\n", printable(index), serve)
}

// completion says when every record will have been fetched.
func completion(r *fetch.Report) string {
	if r == nil || r.CompleteAt == nil {
		return ""
	}
	return "; at this rate the mirror is complete by " + r.CompleteAt.Local().Format("2 Jan 15:04")
}

// changes returns the sums over all kinds.
func changes(r *fetch.Report) (sum fetch.Count) {
	for _, n := range r.Kinds {
		sum.New += n.New
		sum.Changed += n.Changed
		sum.Fetched += n.Fetched
		sum.Gone += n.Gone
	}
	return sum
}

// printable replaces control characters: a text of the source must not control the
// terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, s)
}
