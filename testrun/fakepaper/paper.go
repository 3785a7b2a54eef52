package fakepaper

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ayna/record"
	"ayna/server/sample"
)

// The groups of the Read API.
var groups = []string{"articles", "columns", "newsphotogalleries", "newsvideos", "pages", "writers", "paths"}

var paths = []string{"/gundem/", "/spor/", "/spor/yelken/", "/ekonomi/", "/kultur-sanat/", "/yazarlar/"}

// Newest is when the newest record was published, unless it is of the sample.
var Newest = time.Date(2026, 11, 1, 9, 30, 0, 0, time.UTC)

func (s *Service) fill() map[string][]*Record {
	made := make(map[string][]*Record)
	for _, group := range groups {
		made[group] = nil
	}
	if s.Sample {
		for _, r := range sampleRecords(s.Base) {
			made[r.Group] = append(made[r.Group], recordOf(r))
		}
		return made
	}
	random := rand.New(rand.NewPCG(s.Seed, 1))
	order := random.Perm(len(stories()))
	for i := range s.Items {
		group := cmp.Or(map[int]string{3: "columns", 7: "columns", 5: "newsphotogalleries", 9: "newsvideos"}[i%10], "articles")
		made[group] = append(made[group], s.item(random, order, group, i))
	}
	few := 1 + s.Items/10 // a small service has few of everything
	for i := range min(3, few) {
		page := &Record{Group: "pages", ID: LongID(1, i), Title: stories()[order[i]].tags[0] + " özel", URL: "/sayfa", Created: Newest}
		for _, r := range made["articles"][:min(5, len(made["articles"]))] {
			page.News = append(page.News, r.ID)
		}
		made["pages"] = append(made["pages"], page)
	}
	for i, name := range []string{"Ruhi Güneş", "Sevgi Özbay", "Işıl İnce", "Ümit Çağ"}[:min(4, few)] {
		made["writers"] = append(made["writers"], &Record{
			Group: "writers", ID: LongID(2, i), Title: name, Path: "/yazarlar/", URL: s.Base, Created: Newest,
		})
	}
	for i, path := range paths[:min(len(paths), few)] {
		made["paths"] = append(made["paths"], &Record{Group: "paths", ID: LongID(3, i), Path: path, Title: strings.Trim(path, "/")})
	}
	return made
}

// item makes item number i, with the words of the sample's stories in an order.
func (s *Service) item(random *rand.Rand, order []int, group string, i int) *Record {
	story := stories()[order[i%len(order)]]
	at := Newest.Add(-time.Duration(i)*7*time.Minute - time.Duration(random.IntN(300))*time.Second)
	r := &Record{
		Group: group, ID: strconv.Itoa(49_000_000 - i), Title: story.title, Spot: story.spot, Text: story.text,
		Path: paths[random.IntN(len(paths))], Created: at, Modified: at.Add(time.Minute),
	}
	if round := i / len(order); round > 0 {
		r.Title += fmt.Sprintf(" (%d)", round+1)
	}
	r.URL = s.Base + "/haber-" + r.ID
	if group == "columns" {
		r.Modified = time.Time{} // the service showed none
		return r
	}
	r.Editor, r.Tags = story.editor, slices.Clone(story.tags)
	if s.Base != "" && i%4 == 0 {
		r.Pictures = []string{s.Base + "/resim/" + r.ID + ".png"}
	}
	return r
}

// LongID is an id of 24 hexadecimal digits, as folders and writers have.
func LongID(group, i int) string { return fmt.Sprintf("65aa%02d0b00000000%08x", group, i) }

// sampleRecords returns the records of the sample, served at base.
func sampleRecords(base string) []sample.Record {
	records, err := sample.Records(base)
	if err != nil {
		panic(err) // the content is compiled in, and has tests
	}
	return records
}

// answerOf returns what the JSON of a record of the sample holds.
func answerOf(r sample.Record) (a sample.Answer) {
	if err := json.Unmarshal(r.Single, &a); err != nil {
		panic(err) // the content is compiled in, and has tests
	}
	return a
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// recordOf returns a record with the fields of its JSON.
func recordOf(r sample.Record) *Record {
	a := answerOf(r)
	made := &Record{
		Group: r.Group, ID: r.ID, Title: cmp.Or(a.Title, a.Fullname), Spot: textOf(a.Description), Text: textOf(a.Text),
		Editor: cmp.Or(textOf(a.Editor), a.Fullname), Path: a.Path, URL: a.URL, Tags: a.Tags, RawList: string(r.List), RawSingle: string(r.Single),
	}
	filled := Raw(made.Kind(), made.RawList, made.RawSingle)
	if err := record.Fill(&filled.Record, record.Dates{}); err != nil {
		panic(err)
	}
	made.words = folded(filled.Title + " " + filled.Spot + " " + filled.Text)
	made.Created, _ = time.Parse(time.RFC3339, cmp.Or(a.StartDate, a.CreatedDate)) // folders have none
	made.Modified, _ = time.Parse(time.RFC3339, a.ModifiedDate)                    // columns have none
	for _, f := range a.Files {
		made.Pictures = append(made.Pictures, f.FileURL)
	}
	for _, news := range a.PageNews {
		made.News = append(made.News, news.ID)
	}
	return made
}

// story is what an article of the sample has that is plain: no links, no pictures.
type story struct {
	title, spot, editor string
	text                string // two paragraphs
	tags                []string
}

var plainParagraph = regexp.MustCompile(`<p>[^<]+</p>`)

// stories are the sample's articles of two paragraphs and two tags at least.
var stories = sync.OnceValue(func() (list []story) {
	for _, r := range sampleRecords("") {
		if r.Group != "articles" {
			continue
		}
		a := answerOf(r)
		text := plainParagraph.FindAllString(textOf(a.Text), 2)
		if len(text) == 2 && len(a.Tags) >= 2 {
			list = append(list, story{a.Title, textOf(a.Description), cmp.Or(textOf(a.Editor), "Körfez Haber Ajansı"), strings.Join(text, ""), a.Tags[:2:2]})
		}
	}
	return list
})

// Prose returns the sample's text without markup, about n words of it.
func Prose(n int) string {
	var words []string
	for i := 0; len(words) < n; i++ {
		text := strings.NewReplacer("<p>", "", "</p>", " ").Replace(stories()[i%len(stories())].text)
		words = append(words, strings.Fields(html.UnescapeString(text))...)
	}
	return strings.Join(words[:n], " ")
}
