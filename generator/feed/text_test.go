package feed_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/archive"
	"ayna/testrun"
)

// TestTextInBothReadings: readers take the texts of a feed for text or for
// HTML. In the second reading no text becomes an element, and in both it reads
// as it was written.
func TestTextInBothReadings(t *testing.T) {
	testrun.NotShort(t)
	for _, text := range []string{
		"a < b", "a<b", "5<6 ve 7>2", "<3", "AT&T", "R&D; Q&A", "a && b", "&", "<", "x <", "&lt;", "&amp;lt;", "&#60;b&#62;", "&#x3c;b>", "&copy 2026", "x&notin;y",
		"&CounterClockwiseContourIntegral;", "&ltb>", "<<b>>", "<ş>", "<_a>", "Ankara'da \"iki\"",
		"<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;", "<script>alert(1)</script>", "</title><script>alert(1)</script>",
		"</description>", "<!--", "<![CDATA[<b>]]>", "<?xml?>", "</", "<\x01img src=x onerror=alert(1)>", "&\x01lt;img src=x onerror=alert(1)>", "<svg/onload=alert(1)>",
		`"><img src=x onerror=alert(1)>`, "<a href=javascript:alert(1)>x</a>", "&lt;a href=&quot;javascript:alert(1)&quot;&gt;", "<%00b>", "< script>",
	} {
		t.Run(text, func(t *testing.T) {
			s := settings(t)
			s.Title, s.Description, s.SourceName = text, text, text
			quoted := func(s string) string { // as HTML in JSON, as the service has it
				encoded, _ := json.Marshal(html.EscapeString(s))
				return string(encoded)
			}
			fields := dated + strings.ReplaceAll(`"Title":@,"Description":@,"Editor":@,"Path":"/a/","Tags":[@],"Files":[{"FileUrl":"http://a.example/1.jpg","Metadata":{"Title":@,"Description":@}}]`, "@", quoted(text))
			reader := arranged(t, store(t, []*archive.Record{article("7", fields), article("8", strings.Replace(fields, `"Editor":`, `"Text":"<p>y","Writers":[{"Id":"1","Fullname":`+quoted(text)+`}],"Editor":`, 1))}, nil), s)
			reader.Mirror = false
			want := strings.TrimSpace(strings.ReplaceAll(text, "\x01", ""))
			for name, document := range render(t, reader, options) {
				if path.Ext(name) == ".json" || path.Ext(name) == ".xml" {
					checkTexts(t, name, document, want)
				}
			}
		})
	}
}

// checkTexts checks all texts of a feed or an outline. Each that was made of the
// text has it, whichever way it is read.
func checkTexts(t *testing.T, name, document, want string) {
	t.Helper()
	found := 0
	for _, field := range textsOf(t, document) {
		asText, asHTML := field.text, rendered(t, name, field)
		if field.isHTML {
			asText = html.UnescapeString(asText)
		}
		asText, asHTML = strings.ReplaceAll(asText, "\u2060", ""), strings.ReplaceAll(asHTML, "\u2060", "")
		if asText != asHTML {
			t.Errorf("%s: %s %q shows as text %q and as HTML %q", name, field.name, field.text, asText, asHTML)
		}
		if strings.Contains(asText, want) {
			found++
		}
	}
	if found < 2 { // title and description of the feed; of an outline, the lists of a tag and a writer
		t.Errorf("%s: %q is in %d fields: %q", name, want, found, document)
	}
}

// rendered returns what a reader shows that takes a field for HTML.
func rendered(t *testing.T, name string, f field) string {
	t.Helper()
	nodes, err := html.ParseFragment(strings.NewReader(f.text), &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, node := range nodes {
		if node.Type != html.TextNode {
			t.Errorf("%s: %s %q becomes %q", name, f.name, f.text, node.Data)
		}
		b.WriteString(node.Data)
	}
	return b.String()
}

// field is a text of a feed.
type field struct {
	name, text string
	isHTML     bool // by the format's definition
}

var textFields = strings.Fields("title description subtitle summary rights copyright category creator name credit text term content_text tags")

// textsOf returns the texts of a feed after one decoding of XML or JSON.
func textsOf(t *testing.T, document string) (fields []field) {
	t.Helper()
	if strings.HasPrefix(document, "{") {
		var all any
		if err := json.Unmarshal([]byte(document), &all); err != nil {
			t.Fatal(err)
		}
		return jsonTexts("", all)
	}
	decoder := xml.NewDecoder(strings.NewReader(document))
	var open []xml.Name
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return fields
		} else if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name)
			for _, a := range token.Attr {
				if slices.Contains(textFields, a.Name.Local) {
					fields = append(fields, field{name: a.Name.Local, text: a.Value})
				}
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if n := len(open); n > 0 && slices.Contains(textFields, open[n-1].Local) {
				fields = append(fields, field{open[n-1].Local, string(token), open[n-1].Local == "description" && open[n-1].Space == ""})
			}
		}
	}
}

func jsonTexts(name string, value any) (fields []field) {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			fields = append(fields, jsonTexts(key, inner)...)
		}
	case []any:
		for _, inner := range value {
			fields = append(fields, jsonTexts(name, inner)...)
		}
	default:
		if slices.Contains(textFields, name) {
			fields = append(fields, field{name: name, text: fmt.Sprint(value)})
		}
	}
	return fields
}
