package fetch_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/fetch"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// A site that became another paper is refused before anything is stored, once; a title that
// an editor changes is not.
func TestWordPressAnotherPaper(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	replace := func(p *press) { // the ids are those of other posts
		for i, post := range p.Posts("posts") {
			p.Amend(post.ID, func(post *fakepaper.Post) {
				post.Title, post.Date = "Başka", post.Date.AddDate(-1, 0, i)
				post.Modified = time.Now().UTC()
			})
		}
	}
	for name, test := range map[string]struct {
		change  func(*press)
		another bool
	}{
		"a title":                {func(p *press) { p.Rename("Yeni ad") }, false},
		"posts":                  {replace, false},
		"a title and posts":      {func(p *press) { p.Rename("Yeni ad"); replace(p) }, true},
		"a title, and all edits": {func(p *press) { p.Rename("Yeni ad"); p.editAll() }, false},
		"a title, and none left": {func(p *press) { p.Rename("Yeni ad"); p.trashAll() }, true},
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			p := openPress(t, fakepaper.Options{Items: 25})
			p.mustRun(t)
			before := p.held(t)
			test.change(p)
			time.Sleep(time.Hour)
			_, err := p.run(t)
			if errors.Is(err, fetch.ErrAnother) != test.another || !test.another && err != nil {
				t.Fatalf("%v", err)
			}
			if !test.another {
				return
			}
			if !strings.Contains(err.Error(), "Yeni ad") || !slices.Equal(p.held(t), before) {
				t.Errorf("%v; the archive has changed: %t", err, !slices.Equal(p.held(t), before))
			}
			p.options.Moved = true
			if _, err := p.run(t); err != nil {
				t.Errorf("with --moved: %v", err)
			}
			p.options.Moved = false
			if _, err := p.run(t); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

// An answer that fails decides nothing: the run goes on, and the next one compares.
func TestWordPressTitleAndBrokenPost(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 25})
		p.mustRun(t)
		p.Rename("Yeni ad")
		p.Faults = meeting(fakepaper.Status(http.StatusInternalServerError), func(c fakepaper.Call) bool { return c.Operation == "posts" && c.ID != "" })
		time.Sleep(time.Hour)
		if _, err := p.run(t); err != nil {
			t.Error(err)
		}
		if title, err := fetch.Title(t.Context(), p.archive.State); err != nil || title == "Yeni ad" {
			t.Errorf("the title is %q, %v", title, err)
		}
		p.Faults = nil
		p.mustRun(t)
		if title, err := fetch.Title(t.Context(), p.archive.State); err != nil || title != "Yeni ad" {
			t.Errorf("afterwards the title is %q, %v", title, err)
		}
	})
}

func (p *press) editAll() {
	for _, post := range p.Posts("posts") {
		p.Edit(post.ID, func(post *fakepaper.Post) { post.Title += "!" })
	}
}

func (p *press) trashAll() {
	for _, post := range p.Posts("posts") {
		p.Trash(post.ID)
	}
}

// A paper that moves to another host keeps its records, and their former addresses.
func TestWordPressMoves(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 12})
		p.mustRun(t)
		post := p.Posts("posts")[3]
		before := p.get(t, post.ID)
		moved := openPress(t, fakepaper.Options{Items: 12, Base: "https://yeni." + host})
		moved.archive, moved.options.Moved = p.archive, true
		moved.options.Hosts["yeni."+host] = moved.options.Hosts[host]
		c := sum(moved.mustRun(t))
		after := moved.get(t, post.ID)
		if c.Gone != 0 || c.New != 0 || before.Row != after.Row || before.URL == after.URL || !strings.HasPrefix(after.URL, "https://yeni.") {
			t.Errorf("%+v, at %s, before at %s", c, after.URL, before.URL)
		}
		former := 0
		for f, err := range p.archive.Catalog.FormerURLs(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			if f.URL == before.URL {
				former++
			}
		}
		if former != 1 {
			t.Errorf("%d records were at %s", former, before.URL)
		}
	})
}
