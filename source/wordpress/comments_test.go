package wordpress_test

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"ayna/source/wordpress"
)

// A comment is read of what WordPress answers, whatever it holds. Its original has what was asked
// for, and neither an address of its author nor a hash of one.
func TestReadComment(t *testing.T) {
	const (
		head = `{"id":7,"post":12,"parent":3,"author_name":"Okur &amp; Oğlu","date_gmt":"2026-11-24T10:00:00",`
		tail = `"content":{"rendered":"<p>Söz</p>"}}`
	)
	long := strings.Repeat("<b>s", 10_000)
	for name, c := range map[string]struct {
		data, original string // original is "" for the data
		want           string // record, parent, author, time and text, or an error
		unread         []string
	}{
		"whole":                {data: head + tail, want: "12 3 Okur & Oğlu 10:00 <p>Söz</p>"},
		"what nobody asked":    {data: head + `"author_avatar_urls":{"24":"https://secure.gravatar.example/avatar/00ff?s=24"},"author_email":"okur@posta.example","author_ip":"192.0.2.7","meta":{"x":1},"_links":{},` + tail, original: head + tail, want: "12 3 Okur & Oğlu 10:00 <p>Söz</p>"},
		"a name like a tag":    {data: strings.Replace(head, "Okur &amp; Oğlu", "&lt;b&gt;", 1) + tail, want: "12 3 <b> 10:00 <p>Söz</p>"},
		"a script":             {data: head + `"content":{"rendered":"<script>alert(1)</script>"}}`, want: "12 3 Okur & Oğlu 10:00 <script>alert(1)</script>"},
		"10,000 elements":      {data: head + `"content":{"rendered":"` + long + `"}}`, want: "12 3 Okur & Oğlu 10:00 " + long},
		"an answer to itself":  {data: strings.Replace(head, `"parent":3`, `"parent":7`, 1) + tail, want: "12  Okur & Oğlu 10:00 <p>Söz</p>"},
		"an answer to nothing": {data: strings.Replace(head, `"parent":3`, `"parent":-3`, 1) + tail, want: "12  Okur & Oğlu 10:00 <p>Söz</p>"},
		"without a post":       {data: strings.Replace(head, `"post":12`, `"post":null`, 1) + tail, want: " 3 Okur & Oğlu 10:00 <p>Söz</p>", unread: []string{"record"}},
		"without a text":       {data: head + `"content":[]}`, want: "12 3 Okur & Oğlu 10:00 ", unread: []string{"text"}},
		"without a name":       {data: strings.Replace(head, `"Okur &amp; Oğlu"`, "5", 1) + tail, want: "12 3  10:00 <p>Söz</p>", unread: []string{"author"}},
		"without a date":       {data: strings.Replace(head, `"2026-11-24T10:00:00"`, "0", 1) + tail, want: "12 3 Okur & Oğlu 00:00 <p>Söz</p>", unread: []string{"date"}},
		"without an id":        {data: strings.Replace(head, `"id":7,`, "", 1) + tail, want: "a comment without an id"},
	} {
		s, err := wordpress.New(wordpress.Config{BaseURL: "https://kiyi.example/"})
		if err != nil {
			t.Fatal(err)
		}
		read, err := s.ReadComment(json.RawMessage(c.data))
		got := strings.Join([]string{read.Record, read.Parent, read.Author, read.Written.Format("15:04"), read.Text}, " ")
		if err != nil {
			got = err.Error()
		} else if original := cmp.Or(c.original, c.data); string(read.Original.Data) != original {
			t.Errorf("%s: the original is %s", name, read.Original.Data)
		}
		if got != c.want || !reflect.DeepEqual(read.Unread, c.unread) {
			t.Errorf("%s: %.200s, without %q; want %.200s, without %q", name, got, read.Unread, c.want, c.unread)
		}
	}
}
