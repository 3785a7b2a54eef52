package fetch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"ayna/fetch"
	"ayna/source"
	"ayna/testrun/fakepaper"
)

// livingSource is a source that keeps originals.
type livingSource interface {
	source.Source
	source.Reader
	source.Prover
	source.Warner
}

// An olderReader leaves marks of a plug-in in titles and texts.
type olderReader struct{ livingSource }

func (olderReader) ReaderVersion() string { return "0" }

func (r olderReader) List(ctx context.Context, group source.Group, q source.Query) (source.Batch, error) {
	b, err := r.livingSource.List(ctx, group, q)
	b.Records = slices.Clone(b.Records)
	for i := range b.Records {
		b.Records[i] = worse(b.Records[i])
	}
	return b, err
}

func (r olderReader) Fetch(ctx context.Context, group source.Group, ids []string) ([]source.Answer, error) {
	answers, err := r.livingSource.Fetch(ctx, group, ids)
	for i := range answers {
		answers[i].Record, answers[i].List = worse(answers[i].Record), worse(answers[i].List)
	}
	return answers, err
}

func worse(raw json.RawMessage) json.RawMessage {
	raw = bytes.ReplaceAll(raw, []byte(`"Title":"`), []byte(`"Title":"[kod] `))
	return bytes.ReplaceAll(raw, []byte(`<p>`), []byte(`<p>[kod] `))
}

// read has the records of a copy be read by an older reader, or by today's.
func (c *copied) readBy(older bool, open func(source.Connection) (source.Source, error)) {
	c.options.Open = func(with source.Connection) (source.Source, error) {
		s, err := open(with)
		if err == nil && older {
			s = olderReader{s.(livingSource)}
		}
		return s, err
	}
}

// earlier returns the earlier versions of all records, and when each record changed.
func (c *copied) earlier(t *testing.T) (lines []string) {
	t.Helper()
	for r, err := range c.archive.Records.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%s %s changed %v", r.Kind, r.ID, r.Changed)
		for revision, err := range c.archive.Records.Earlier(t.Context(), r.Row) {
			if err != nil {
				t.Fatal(err)
			}
			line += fmt.Sprintf("\n%s until %s: %s", revision.Part, revision.ReplacedAt, revision.JSON)
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

// firstDifference returns the first lines that differ, "" if none do.
func firstDifference(got, want []string) string {
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			return fmt.Sprintf("%d.\n%s\nwant\n%s", i, g, w)
		}
	}
	return ""
}

// Records of an older reader are made anew without a request: they are those of a mirror made
// from nothing, and their earlier versions those of a mirror that today's reader has followed.
// What was killed in between goes on.
func TestReadAgain(t *testing.T) {
	for _, kind := range []string{"wordpress", "ghost"} {
		inVirtualTime(t, kind, func(t *testing.T) {
			var c *copied
			var edit func(i int)
			if kind == "ghost" {
				p := openGhost(t, fakepaper.Options{Items: 230})
				c = &p.copied
				edit = func(i int) {
					p.Edit(p.Posts()[7].ID, func(post *fakepaper.GhostPost) {
						post.Title += fmt.Sprint(" ", i)
						post.HTML += fmt.Sprintf("<p>%d.</p>", i)
					})
				}
			} else {
				p := openPress(t, fakepaper.Options{Items: 230})
				c = &p.copied
				edit = func(i int) {
					p.Edit(p.Posts("posts")[7].ID, func(post *fakepaper.Post) {
						post.Title += fmt.Sprint(" ", i)
						post.Text += fmt.Sprintf("<p>%d.</p>", i)
					})
				}
			}
			open := c.options.Open
			old := *c
			old.archive = fakepaper.Archive(t)
			c.readBy(false, open)
			old.readBy(true, open)
			for i := range 3 {
				c.mustRun(t)
				old.mustRun(t)
				time.Sleep(time.Hour)
				edit(i)
			}
			c.mustRun(t)
			old.mustRun(t)
			if slices.Equal(old.held(t), c.held(t)) || slices.Equal(old.earlier(t), c.earlier(t)) {
				t.Fatal("the older reader reads as today's")
			}
			old.readBy(false, open)
			old.clearLog()
			ctx, kill := context.WithCancel(t.Context())
			old.options.Progress = func(p fetch.Progress) { kill() }
			if _, err := fetch.ReadAgain(ctx, old.archive, old.options); !errors.Is(err, context.Canceled) {
				t.Errorf("killed: %v", err)
			}
			old.options.Progress = nil
			again, err := fetch.ReadAgain(t.Context(), old.archive, old.options)
			if err != nil || again == nil || again.Records < 100 || again.Records > 200 || again.Wanting+len(again.Stale) > 0 {
				t.Errorf("read again: %+v, %v", again, err)
			}
			if diff := firstDifference(old.held(t), c.held(t)); diff != "" {
				t.Errorf("the archive holds want: %s", diff)
			}
			if diff := firstDifference(old.earlier(t), c.earlier(t)); diff != "" {
				t.Errorf("earlier versions are want: %s", diff)
			}
			if again, err := fetch.ReadAgain(t.Context(), old.archive, old.options); again != nil || err != nil {
				t.Errorf("read again once more: %+v, %v", again, err)
			}
			time.Sleep(7 * time.Hour)
			if r := old.mustRun(t); sum(r).Changed+sum(r).Fetched > 0 || r.Reread != nil {
				t.Errorf("the next run: %+v", sum(r))
			}
			fresh := *c
			fresh.archive = fakepaper.Archive(t)
			fresh.mustRun(t)
			if diff := firstDifference(old.held(t), fresh.held(t)); diff != "" {
				t.Errorf("the archive holds want, as a mirror from nothing: %s", diff)
			}
		})
	}
}
