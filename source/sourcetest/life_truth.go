package sourcetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"ayna/archive"
	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// fresh fills an empty archive from the paper itself, which has no faults there, and returns
// what it shows.
func (m *mirror) fresh(a *archive.Archive) map[string]content {
	whole := *m
	whole.archive = a
	whole.options.Hosts = make(map[string]http.Handler)
	for host := range m.options.Hosts {
		whole.options.Hosts[host] = m.paper
	}
	facts := m.facts
	defer func() { m.facts = facts }()
	if report, err := fetch.Run(context.WithoutCancel(m.Context()), a, whole.options); err != nil || exitCode(report, err) != exitOK {
		m.T.Fatalf("a mirror from nothing: %v, %+v", err, report.Failed)
	}
	return whole.pages()
}

// pages returns what the pages of records show: writers have the names of their own records,
// and a record that changes its type keeps its kind, and so its address.
func (m *mirror) pages() map[string]content {
	all := m.shown()
	for _, c := range all {
		if c["kind"] == string(record.Writer) || c["kind"] == string(record.Folder) {
			continue
		}
		delete(c, "kind")
		writers := strings.Split(c["writer"], ", ")
		for i, w := range writers {
			id, _, _ := strings.Cut(w, " ")
			if all[id] != nil {
				writers[i] = id + " " + all[id]["title"]
			}
		}
		c["writer"] = strings.Join(writers, ", ")
	}
	return all
}

// awaited returns the ids of the items whose single records are to be fetched.
func (m *mirror) awaited() (ids []string) {
	for r, err := range m.archive.Records.All(m.Context()) {
		if err != nil {
			m.T.Fatal(err)
		}
		if r.FetchDue {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// A history has all that a field of a record ever showed, by id and field. Names that several
// records show are kept for all of them, without an id.
type history map[string]map[string]bool

func (h history) add(shown map[string]content) {
	for id, c := range shown {
		for name, value := range c {
			key := keyOf(id, name)
			if h[key] == nil {
				h[key] = make(map[string]bool)
			}
			for _, part := range partsOf(name, value) {
				h[key][part] = true
			}
		}
	}
}

func keyOf(id, field string) string {
	if field == "writer" || field == "tags" || field == "folder" {
		return field
	}
	return id + " " + field
}

// partsOf returns the names of a field, or else its value.
func partsOf(field, value string) []string {
	switch field {
	case "writer", "tags":
		return strings.Split(value, ", ")
	case "folder":
		return strings.Split(value, " ")
	}
	return []string{value}
}

// had reports whether a field ever showed a value.
func (h history) had(id, field, value string) bool {
	return !slices.ContainsFunc(partsOf(field, value), func(part string) bool { return !h[keyOf(id, field)][part] })
}

// judge wants that a run has neither deleted nor lost what the source has: what was right stays
// right, and what changes is what the source once had, and no older version.
func (l *life) judge(after map[string]content) {
	for _, id := range slices.Sorted(maps.Keys(l.before)) {
		was, is, truth := l.before[id], after[id], l.truth[id]
		wasCopied := l.replica != nil && l.replica.truth[id] == nil
		switch {
		case truth == nil: // it may go, and may wait for that
		case is == nil && !wasCopied:
			l.Errorf("%s %s is gone, and the source has it", was["kind"], id)
		case is == nil:
		case is["date of change"] < was["date of change"] && truth["date of change"] >= was["date of change"]:
			l.Errorf("%s has an older version: of %s, was %s", id, is["date of change"], was["date of change"])
		default:
			l.judgeFields(id, was, is, truth)
		}
	}
}

func (l *life) judgeFields(id string, was, is, truth content) {
	for _, name := range slices.Sorted(maps.Keys(was)) {
		isOld := l.replica != nil && l.replica.truth[id][name] == is[name]
		// An item that awaits its single record may show its date of change as that of publication.
		isGuess := name == "date of publication" && was["text"] == notCome
		switch {
		case is[name] == was[name] || is[name] == truth[name] || isGuess:
		case was[name] == "" || was[name] == notCome:
		case was[name] == truth[name] && !isOld && !l.isNameOfReplica(name):
			l.Errorf("%s of %s is %.80q, was and should be %.80q", name, id, is[name], was[name])
		case !l.past.had(id, name, is[name]):
			l.Errorf("%s of %s is %.80q, which it never was; it was %.80q and should be %.80q", name, id, is[name], was[name], truth[name])
		}
	}
}

// isNameOfReplica reports whether a field may show an older name, which has no date.
func (l *life) isNameOfReplica(field string) bool {
	return l.replica != nil && keyOf("", field) == field
}

// settle lets the faults end, and wants that the mirror becomes one made from nothing.
func (l *life) settle() {
	l.options.AllowDelete = 1000
	defer func() { l.options.AllowDelete = 0 }()
	for _, gap := range []time.Duration{0, 25 * time.Hour, 25 * time.Hour, 25 * time.Hour, 25 * time.Hour, l.facts.Sweep, l.facts.Sweep} {
		l.wait(gap + time.Hour + time.Minute)
		l.before = l.pages()
		l.replica = nil
		code := l.run()
		l.note("settling: exit code %d", code)
		l.runs++
		l.look()
		l.judge(l.pages())
		l.stopIfFailed()
	}
	l.compare(l.pages(), l.truth)
	l.compareStored()
	l.calm = true
	l.stopIfFailed()
}

// compareStored wants that the archive holds the same bytes as one made from nothing.
func (m *mirror) compareStored() {
	a := fakepaper.Archive(m.T)
	defer a.Close()
	m.fresh(a)
	got, want := m.answersIn(m.archive), m.answersIn(a)
	defer func(before int) { m.shorten(before) }(len(m.failures[m.part]))
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if got[key] != want[key] {
			m.Errorf("%s is\n%s\nwant\n%s", key, got[key], want[key])
		}
	}
}

// writerName is a name in a record, which stays while the writer's own record shows another.
var writerName = regexp.MustCompile(`"Fullname":"(?:[^"\\]|\\.)*"`)

// answersIn returns the list and single records of an archive.
func (m *mirror) answersIn(a *archive.Archive) map[string]string {
	all := make(map[string]string)
	for r, err := range a.Records.All(m.Context()) {
		if err != nil {
			m.T.Fatal(err)
		}
		if r.GoneAt.IsZero() && !r.Provisional {
			all["list "+r.ID], all["single "+r.ID] = string(r.List), writerName.ReplaceAllString(string(r.Single), `"Fullname":""`)
			all["flags "+r.ID] = fmt.Sprint(r.FetchDue, r.Recheck)
		}
	}
	return all
}

// compareSites wants that the site is one of an archive made from nothing.
func (l *life) compareSites() {
	fresh := filepath.Join(filepath.Dir(l.path), "fresh.db")
	a := l.openArchive(fresh)
	l.fresh(a)
	if err := errors.Join(a.Close(), l.archive.Close()); err != nil {
		l.T.Fatal(err)
	}
	got, want := l.files(l.publish(l.path)), l.files(l.publish(fresh))
	l.archive = l.openArchive(l.path)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if is, has := got[name]; !has {
			l.Errorf("the site lacks %s", name)
		} else if is != want[name] {
			l.Errorf("%s: %s", name, testrun.FirstDifference(is, want[name]))
		}
	}
	for name := range got {
		if _, has := want[name]; !has {
			l.Errorf("the site has %s", name)
		}
	}
}

// changesOfArticle are the earlier versions of an article, which a new mirror does not know.
var changesOfArticle = regexp.MustCompile(`(?s)<details class="notice history">.*?</details>\n*`)

// files returns the articles of a site by the names of their pages.
func (l *life) files(dir string) map[string]string {
	all := make(map[string]string)
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		_, article, found := strings.Cut(string(data), "<article")
		if isCorrections := strings.HasPrefix(name, "duzeltmeler/"); found && !isCorrections && strings.HasSuffix(name, ".html") {
			article, _, _ = strings.Cut(article, "</article>")
			all[name] = changesOfArticle.ReplaceAllString(article, "")
		}
		return err
	})
	if err != nil {
		l.T.Fatal(err)
	}
	return all
}
