package wordpress_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayna/record"
	"ayna/source"
	"ayna/source/sourcetest"
	"ayna/source/wordpress"
	"ayna/testrun/fakepaper"
)

// The suite of sources, of a paper that is read by its feed.
func TestFeedSource(t *testing.T) { sourcetest.Run(t, feedNewsroom()) }

func feedNewsroom() sourcetest.Newsroom {
	n := newsroom
	n.Open = func(_ testing.TB, items int, _ string) sourcetest.Paper {
		p := fakepaper.NewWordPress(fakepaper.Options{Base: "https://kiyi.example", Items: items, RESTClosed: true, Feed: true})
		return &feedPaper{paper{p}}
	}
	n.Few, n.Lists, n.Parts, n.Warns = 6, []sourcetest.List{{Name: "posts", Kind: record.Article}}, nil, 1
	n.Fields = []sourcetest.Field{
		{Content: "title", Keys: []string{"title"}, MayBeEmpty: true, Empty: "", InList: true},
		{Content: "description", Keys: []string{"summary"}, MayBeEmpty: true, Empty: ""},
		{Content: "text", Keys: []string{"content"}, MayBeEmpty: true, Empty: ""},
		{Content: "writer", Keys: []string{"author"}, MayBeEmpty: true, Empty: "", InList: true},
		{Content: "folder", Keys: []string{"category"}, Empty: []any{}, InList: true},
		{Content: "address", Keys: []string{"link"}, InList: true},
		{Content: "date of publication", Keys: []string{"published"}, InList: true},
		{Content: "date of change", Keys: []string{"updated"}, InList: true},
	}
	n.Call, n.Elements, n.SetTotal, n.Size, n.Offset, n.Start, n.RefuseSize = feedCall, editEntries, nil, "", "paged", 1, nil
	n.NeverHad = func() (int, string) { return http.StatusOK, feedHead + "</feed>" }
	n.Can = []sourcetest.Ability{
		sourcetest.Schedules, sourcetest.ShowsEdits, sourcetest.HasNoise, sourcetest.Paged, sourcetest.Restores, sourcetest.Copies, sourcetest.Originals,
	}
	n.Plain = func(row string) bool { return slices.Contains(rowsOfFeed, row) }
	n.Waits, n.ProvesAlone = []string{"trash", "draft", "delete"}, true
	n.Skipped = []string{
		"an item becomes a page while pages cannot be read", "an older copy of single records alone", "an older copy of the single record of an edit",
		"an older copy of lists alone, then of all", "the list lacks an item whose single record is older", "answers for ids are cut short",
		"a standing page is lacking, and counted", "ten of forty are lacking, and counted", "three are lacking, and counted", "an item that is no record",
		"another type: a list", "another type: a number", "emptied in single records alone", "the offset is ignored",
		"totals are wrong: missing", "totals are wrong: negative", "totals are wrong: no number", "totals are wrong: too high", "totals are wrong: too low",
		"large pages are refused", "the size is ignored",
	}
	return n
}

// rowsOfFeed are those in which a feed is another source than the REST API.
var rowsOfFeed = []string{
	"first mirror", "a run that is cut continues", "changes", "many are withdrawn", "all are withdrawn", "a withdrawn item is restored",
	"the list alone lacks an item", "the list lacks items, and answers for ids are empty", "the newest items are lacking, and their own addresses do not answer",
	"the newest item is withdrawn: trash", "[] once: posts", "an older copy in every second run", "ten of forty are lacking in the list", "odd ids", "originals",
	"another type: an object", "emptied beside a newer date", "emptied beside the same date", "dates are lost", "an endless list of items",
	"later parts of the list do not come", "noise: a web page", "noise: words before it", "SIGTERM while a list is read", "a password before the source", "the list of items does not come",
}

const feedHead = `<feed xmlns="http://www.w3.org/2005/Atom">`

// A feedPaper is a paper that closes its REST API.
type feedPaper struct{ paper }

func (p *feedPaper) Source(key string, c source.Connection) (source.Source, error) {
	return wordpress.New(wordpress.Config{BaseURL: p.Base, APIKey: key, Feed: true, Connection: c})
}

func feedCall(r *http.Request) sourcetest.Call {
	query := r.URL.Query()
	switch {
	case query.Get("feed") != "atom":
		return sourcetest.Call{List: r.URL.Path}
	case query.Has("p"):
		return sourcetest.Call{List: "posts", IDs: []string{query.Get("p")}, Own: true}
	}
	return sourcetest.Call{List: "posts"}
}

var (
	entries = regexp.MustCompile(`(?s)<entry>.*</entry>`)
	oneID   = regexp.MustCompile(`<id>[^<]*\?p=([^<]*)</id>`)
)

// editEntries edits the entries of a page as JSON: texts by the names of their elements. Those
// that stay are not written again.
func editEntries(body []byte, edit func([]json.RawMessage) []json.RawMessage) []byte {
	all := entries.FindString(string(body))
	written := make(map[string]string)
	var elements []json.RawMessage
	for _, raw := range strings.SplitAfter(all, "</entry>") {
		if strings.TrimSpace(raw) != "" {
			element := elementOf(raw)
			written[string(element)] = raw
			elements = append(elements, element)
		}
	}
	if all == "" && !strings.Contains(string(body), "<feed") {
		return body
	}
	var b strings.Builder
	for _, element := range edit(slices.Clone(elements)) {
		if raw, has := written[string(element)]; has {
			b.WriteString(raw)
		} else {
			b.WriteString(entryOf(element))
		}
	}
	if all == "" {
		return []byte(strings.Replace(string(body), "</feed>", b.String()+"</feed>", 1))
	}
	return []byte(strings.Replace(string(body), all, b.String(), 1))
}

// elementOf returns an entry as JSON.
func elementOf(raw string) json.RawMessage {
	var e struct {
		Title     string `xml:"title"`
		Summary   string `xml:"summary"`
		Content   string `xml:"content"`
		Updated   string `xml:"updated"`
		Published string `xml:"published"`
		Author    string `xml:"author>name"`
		Links     []struct {
			Href string `xml:"href,attr"`
		} `xml:"link"`
		Categories []struct {
			Term string `xml:"term,attr"`
		} `xml:"category"`
	}
	if err := xml.Unmarshal([]byte(strings.ReplaceAll(raw, "thr:", "")), &e); err != nil {
		panic(err) // the fake has written it
	}
	terms := []string{}
	for _, c := range e.Categories {
		terms = append(terms, c.Term)
	}
	element, _ := json.Marshal(map[string]any{
		"id": oneID.FindStringSubmatch(raw)[1], "title": e.Title, "summary": e.Summary, "content": e.Content, "updated": e.Updated, "published": e.Published,
		"author": e.Author, "link": e.Links[0].Href, "category": terms,
	})
	return element
}

// entryOf returns an entry of JSON. What is neither a text nor a list has no element.
func entryOf(element json.RawMessage) string {
	var fields map[string]any
	if err := json.Unmarshal(element, &fields); err != nil {
		panic(err)
	}
	escape := func(text string) string {
		var b strings.Builder
		xml.EscapeText(&b, []byte(text))
		return b.String()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<entry><id>https://kiyi.example/?p=%s</id>", escape(fmt.Sprint(fields["id"])))
	for _, name := range []string{"title", "summary", "content", "updated", "published", "author", "link"} {
		text, isText := fields[name].(string)
		switch {
		case !isText:
		case name == "author":
			fmt.Fprintf(&b, "<author><name>%s</name></author>", escape(text))
		case name == "link":
			fmt.Fprintf(&b, `<link href="%s"/>`, escape(text))
		default:
			fmt.Fprintf(&b, `<%[1]s type="html">%s</%[1]s>`, name, escape(text))
		}
	}
	terms, _ := fields["category"].([]any)
	for _, term := range terms {
		fmt.Fprintf(&b, `<category term="%s"/>`, escape(fmt.Sprint(term)))
	}
	return b.String() + "</entry>"
}
