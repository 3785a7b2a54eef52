package arrange_test

import (
	"testing"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// The search reads an item again when the title of a film arrives, and not for pictures.
func TestDigestsOfMedia(t *testing.T) {
	const film = "https://vimeo.com/1"
	a := fakepaper.Archive(t, fakepaper.Raw(record.Article, "", `{"Id":"1","Path":"/a/","Title":"Film","Text":"<p>`+film+`</p><p><img src=\"https://a.example/1.jpg\"></p>"}`))
	o := options(t)
	o.Mirror = true
	film1 := site.RefTo("1", "")
	last := arranged(t, a, o).Find(film1)
	for _, step := range []struct {
		what      string
		media     archive.Media
		text, all bool // changes
	}{
		{"a picture", archive.Media{URL: "https://a.example/1.jpg", Name: "aa.jpg"}, false, true},
		{"a title", archive.Media{URL: film, Title: "Kıyı"}, true, true},
		{"another title", archive.Media{URL: film, Title: "Liman"}, true, true},
		{"a picture of the film", archive.Media{URL: film, Title: "Liman", Name: "bb.jpg"}, false, true},
		{"nothing", archive.Media{URL: film, Title: "Liman", Name: "bb.jpg"}, false, false},
	} {
		fakepaper.Mirror(t, a, step.media)
		now := arranged(t, a, o).Find(film1)
		if text, all := now.Text() != last.Text(), now.Content() != last.Content(); text != step.text || all != step.all {
			t.Errorf("%s: the text changes: %v, the page changes: %v", step.what, text, all)
		}
		last = now
	}
}
