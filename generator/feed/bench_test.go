package feed_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/generator/feed"
	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
)

const benchItems = 50

// benched returns a reader of articles with a full text of some 3,500 bytes,
// which is kept ready as in a build.
func benched(b *testing.B, formats ...site.Format) *story.Reader {
	var records []*archive.Record
	for i := range benchItems {
		records = append(records, article(fmt.Sprint(51200000+i), fmt.Sprintf(
			`"CreatedDate":"2026-03-14T09:%02d:00Z","Title":"Haber %d","Description":"Spot","Path":"/gundem/","Text":%s`, i, i,
			strconv.Quote(strings.Repeat(`<p>Akçaliman'da <b>zeytin</b> hasadı <a href="http://www.haber.example/x">başladı</a>.</p>`, 40)))))
	}
	s := settings(b)
	s.Formats, s.FeedsOf = formats, []site.ListKind{site.OfHome}
	reader := arranged(b, store(b, records, nil), s)
	if err := reader.Prepare(b.Context(), 1, nil); err != nil {
		b.Fatal(err)
	}
	return reader
}

// fileIn returns the file at a path, from a renderer that has kept nothing.
func fileIn(b *testing.B, reader *story.Reader, path string) output.File {
	for file, err := range feed.New(reader, options).Files(b.Context()) {
		if err != nil {
			b.Fatal(err)
		}
		if file.Path == path {
			return file
		}
	}
	b.Fatalf("no file %s", path)
	return output.File{}
}

// BenchmarkItems renders full-text items as feeds show them, each for the first
// time, and reports how many a second.
func BenchmarkItems(b *testing.B) {
	all := []site.Format{site.RSS, site.Atom, site.JSON}
	for _, formats := range [][]site.Format{all[:1], all[1:2], all[2:], all} {
		name := string(formats[0])
		if len(formats) > 1 {
			name = "all"
		}
		b.Run(name, func(b *testing.B) {
			reader := benched(b, formats...)
			list := site.List{}
			var w countingWriter
			for b.Loop() {
				w = 0
				if err := fileIn(b, reader, list.Feed(formats[0])).Write(b.Context(), &w); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(w))
			b.ReportMetric(float64(b.N*benchItems)/b.Elapsed().Seconds(), "items/s")
		})
	}
}

// BenchmarkFeed writes a feed whose items were rendered before, for another
// feed.
func BenchmarkFeed(b *testing.B) {
	for _, format := range []site.Format{site.RSS, site.Atom, site.JSON} {
		b.Run(string(format), func(b *testing.B) {
			list := site.List{}
			file := fileIn(b, benched(b, format), list.Feed(format))
			var w countingWriter
			for b.Loop() {
				w = 0
				if err := file.Write(b.Context(), &w); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(w))
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "feeds/s")
		})
	}
}

// BenchmarkByHand writes the RSS feed of BenchmarkItems with encoding/xml alone,
// from structs that hold all of it: what there is to be beaten.
func BenchmarkByHand(b *testing.B) {
	var rendered strings.Builder
	if err := fileIn(b, benched(b, site.RSS), "feed.xml").Write(b.Context(), &rendered); err != nil {
		b.Fatal(err)
	}
	type item struct {
		Title       string `xml:"title"`
		Link        string `xml:"link"`
		Description string `xml:"description"`
		Content     struct {
			Text string `xml:",cdata"`
		} `xml:"encoded"`
		GUID    string   `xml:"guid"`
		PubDate string   `xml:"pubDate"`
		Tags    []string `xml:"category"`
		Creator string   `xml:"creator"`
	}
	var document struct {
		XMLName xml.Name `xml:"rss"`
		Items   []item   `xml:"channel>item"`
	}
	if err := xml.Unmarshal([]byte(rendered.String()), &document); err != nil {
		b.Fatal(err)
	}
	var w countingWriter
	for b.Loop() {
		w = 0
		e := xml.NewEncoder(io.Writer(&w))
		e.Indent("", "  ")
		if err := e.Encode(document); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(w))
	b.ReportMetric(float64(b.N*benchItems)/b.Elapsed().Seconds(), "items/s")
}

type countingWriter int64

func (w *countingWriter) Write(p []byte) (int, error) {
	*w += countingWriter(len(p))
	return len(p), nil
}

func (w *countingWriter) WriteString(s string) (int, error) {
	*w += countingWriter(len(s))
	return len(s), nil
}

// BenchmarkFiles lists the feeds of a large site without rendering any.
func BenchmarkFiles(b *testing.B) {
	const items = 100_000
	s := &site.Site{Settings: settings(b), Root: &site.Folder{}}
	folder := &site.Folder{List: site.List{Kind: site.OfFolders, Dir: "spor", Title: "Spor"}, Parent: s.Root}
	s.Root.Folders, s.Folders, s.Home.Kind = []*site.Folder{folder}, []*site.Folder{folder}, site.OfHome
	for i := items; i > 0; i-- {
		when := int64(i) * 3_600_000
		s.Add(&site.Draft{Row: int64(i), Kind: site.Article, ID: strconv.Itoa(i), Address: strconv.Itoa(i) + ".html", Order: when, Published: when})
	}
	s.FolderOf, s.Home.Items = []*site.Folder{folder}, s.Collection.Items()
	folder.Items, folder.Own = s.Home.Items, s.Home.Items
	r := feed.New(story.New(nil, s, false), options)
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range r.Files(b.Context()) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(2*items), "ns/membership")
}
