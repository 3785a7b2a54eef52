package feed_test

import (
	"cmp"
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"ayna/generator/site"
)

// TestOutline holds that the outline names every list once, with the feed that
// most readers know.
func TestOutline(t *testing.T) {
	type outline struct {
		Text     string    `xml:"text,attr"`
		Type     string    `xml:"type,attr"`
		XMLURL   string    `xml:"xmlUrl,attr"`
		HTMLURL  string    `xml:"htmlUrl,attr"`
		Outlines []outline `xml:"outline"`
	}
	for _, test := range []struct {
		formats        []site.Format
		file, own, typ string
	}{
		{[]site.Format{site.JSON, site.Atom, site.RSS}, "feed.xml", "feed-own.xml", "rss"},
		{[]site.Format{site.JSON, site.Atom}, "atom.xml", "atom-own.xml", "rss"},
		{[]site.Format{site.JSON}, "feed.json", "feed-own.json", "JSONFeed"},
	} {
		t.Run(test.file, func(t *testing.T) {
			s := settings(t)
			s.Formats = test.formats
			rendered := render(t, arranged(t, store(t, paper(), nil), s), options)
			var document struct {
				Outlines []outline `xml:"body>outline"`
			}
			if err := xml.Unmarshal([]byte(rendered["opml.xml"]), &document); err != nil {
				t.Fatal(err)
			}
			var feeds []string
			var walk func([]outline)
			walk = func(outlines []outline) {
				for _, o := range outlines {
					if o.XMLURL == "" {
						walk(o.Outlines)
						continue
					}
					name := strings.TrimPrefix(o.XMLURL, "https://ayna.example/haber/")
					feeds = append(feeds, name)
					if rendered[name] == "" || !strings.HasPrefix(o.XMLURL, o.HTMLURL) || o.Type != test.typ || o.Text == "" || len(o.Outlines) > 0 {
						t.Errorf("outline %+v", o)
					}
				}
			}
			want := []string{"spor/" + test.own}
			for _, dir := range feedsOf {
				want = append(want, dir+test.file)
			}
			if walk(document.Outlines); !slices.Equal(slices.Sorted(slices.Values(feeds)), slices.Sorted(slices.Values(want))) {
				t.Errorf("outlines of %q, want %q", feeds, want)
			}
			if spor := document.Outlines[3]; spor.Text != "Spor" || len(spor.Outlines) != 3 || cmp.Or(spor.XMLURL, spor.Type) != "" {
				t.Errorf("a folder with sub-folders is %+v", spor)
			}
		})
	}
}
