package record_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
)

// TestDates: published and modified of one document.
func TestDates(t *testing.T) {
	tests := map[string]struct{ fields, published, modified string }{
		"start, created and changed": {`"StartDate":"2026-01-03T00:00:00Z","CreatedDate":"2026-01-01T00:00:00Z","ModifiedDate":"2026-01-04T00:00:00Z"`, "2026-01-03T00:00:00Z", "2026-01-04T00:00:00Z"},
		"created alone":              {`"CreatedDate":"2026-01-01T00:00:00Z"`, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"},
		"changed alone":              {`"ModifiedDate":"2026-01-04T00:00:00Z"`, "2026-01-04T00:00:00Z", "2026-01-04T00:00:00Z"},
		"changed is null":            {`"CreatedDate":"2026-01-01T00:00:00Z","ModifiedDate":null`, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"},
		"changed in the year 1":      {`"CreatedDate":"2026-01-01T00:00:00Z","ModifiedDate":"0001-01-01T00:00:00"`, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"},
		"created in the year 1601":   {`"StartDate":"1601-01-01T00:00:00Z","CreatedDate":"2026-01-01T00:00:00Z"`, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"},
		"the future is kept":         {`"CreatedDate":"2999-01-01T00:00:00Z"`, "2999-01-01T00:00:00Z", "2999-01-01T00:00:00Z"},
		"ModifieDate":                {`"CreatedDate":"2026-01-01T00:00:00Z","ModifieDate":"2026-01-02T00:00:00Z"`, "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"},
		"one fraction digit":         {`"CreatedDate":"2026-01-01T00:00:00.5Z"`, "2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00.5Z"},
		"an offset":                  {`"CreatedDate":"2026-01-01T03:00:00+03:00"`, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"},
		".NET":                       {`"CreatedDate":"/Date(1767225600000)/"`, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"},
		"RFC 1123":                   {`"CreatedDate":"Thu, 01 Jan 2026 00:00:00 GMT"`, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"},
		"no zone anywhere":           {`"CreatedDate":"2026-01-01T03:00:00"`, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"},
		"no zone, and a number":      {`"CreatedDate":"2026-01-01T03:00:00","ModifiedDate":"/Date(1767312000000)/"`, "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"},
		"unreadable":                 {`"StartDate":"dün","CreatedDate":"2026-01-01T00:00:00Z"`, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"},
		"none":                       {`"CreatedDate":""`, "", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := fill(t, record.Article, `{"Id":"1",`+test.fields+`}`, "")
			for what, pair := range map[string][2]string{"published": {text(r.Published), test.published}, "modified": {text(r.Modified), test.modified}} {
				if pair[0] != pair[1] {
					t.Errorf("%s %s, want %s", what, pair[0], pair[1])
				}
			}
		})
	}
}

func text(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// A date without an offset is one of the paper's zone, whatever other dates say.
func TestDateWithoutOffset(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	r := &archive.Record{Record: record.Record{Kind: record.Article, ID: "1", Answers: record.Answers{List: []byte(`{"Id":"1","CreatedDate":"2026-01-01T00:30:00","ModifiedDate":"2026-07-10T16:00:00+02:00"}`)}}}
	if err := record.Fill(&r.Record, record.Dates{Zone: berlin}); err != nil {
		t.Fatal(err)
	}
	if got := text(r.Published); got != "2025-12-31T23:30:00Z" {
		t.Errorf("published %s", got)
	}
}

func TestSpotsAndCaptions(t *testing.T) {
	tests := map[string]struct{ text, spot, caption string }{
		"a dot":            {".", "", ""},
		"dots and blanks":  {" . .. ", "", ""},
		"an ellipsis":      {"…", "", ""},
		"a hyphen":         {"-", "", ""},
		"nothing":          {"", "", ""},
		"blanks":           {" \u00a0\r\n", "", ""},
		"words":            {" Körfez'de  gün doğumu.\r\n", "Körfez'de gün doğumu.", "Körfez'de gün doğumu."},
		"begins with dots": {"... ve sonra", "... ve sonra", "... ve sonra"},
		"note to itself":   {"refid:Köprü açıldı ilişkili resim dosyası", "refid:Köprü açıldı ilişkili resim dosyası", ""},
		"markup":           {"<b>A</b> &amp; B", "A & B", "A & B"},
		"markup alone":     {"<br>", "", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			quoted := fmt.Sprintf("%q", test.text)
			r := fill(t, record.Gallery, `{"Description":`+strings.ReplaceAll(quoted, `\u00a0`, "\u00a0")+`,"Files":[{"FileUrl":"http://img.example/1.jpg","Metadata":{"Title":" T ","Description":`+quoted+`}}]}`, "")
			content, err := record.ContentOf(&r.Record)
			if err != nil {
				t.Fatal(err)
			}
			if r.Spot != test.spot {
				t.Errorf("spot %q, want %q", r.Spot, test.spot)
			}
			if got := content.Files[0]; got.Caption != test.caption || got.Title != "T" {
				t.Errorf("file %+v, want caption %q", got, test.caption)
			}
		})
	}
}

func TestFiles(t *testing.T) {
	r := fill(t, record.Gallery, `{"Url":"http://www.haber.example/galeri-1","Text":"<img src='http://img.example/2.jpg'><img src='3.jpg'>","Files":[
		{"FileUrl":"javascript:alert(1)"},{"FileUrl":"//img.example/1.jpg"},{"FileUrl":"http://img.example/2.jpg"},
		{"FileUrl":"http://img.example/2.jpg"},{"FileUrl":"/i/4.jpg"},{"FileUrl":""},{"FileUrl":"data:image/png;base64,AA"}]}`, "")
	want := []string{"http://img.example/1.jpg", "http://img.example/2.jpg", "http://www.haber.example/i/4.jpg", "http://www.haber.example/3.jpg"}
	if !slices.Equal(r.Images, want) || r.Lead != want[0] {
		t.Errorf("images %v, lead %s, want %v", r.Images, r.Lead, want)
	}
}

// Files that are no pictures follow the text, unless it links them.
func TestAttachments(t *testing.T) {
	r := fill(t, record.Article, `{"Url":"http://www.haber.example/1","Text":"<p>Bak: <a href='/d/linked.pdf'>ek</a> <a href='http://b.example/x.DOCX?a=1'>b</a> <a href='/d/page.html'>c</a><video src='/v/1'></video></p>","Files":[
		{"FileUrl":"/i/1.jpg"},{"FileUrl":"/d/rapor.pdf","Metadata":{"Title":"Yıllık rapor","Description":"2026"}},
		{"FileUrl":"/s/ses.mp3","Metadata":{"Title":"Dalga","Description":"Kıyıda"}},{"FileUrl":"/d/y_z.csv"},{"FileUrl":"/d/x.exe"}]}`, "")
	var got []string
	for _, a := range r.Attachments {
		got = append(got, string(a.Kind)+" "+strings.TrimPrefix(a.URL, "http://www.haber.example"))
	}
	want := []string{"document /d/linked.pdf", "document http://b.example/x.DOCX?a=1", "video /v/1", "document /d/rapor.pdf", "audio /s/ses.mp3", "document /d/y_z.csv"}
	if !slices.Equal(got, want) || r.Lead != "http://www.haber.example/i/1.jpg" || len(r.Images) != 2 {
		t.Errorf("attachments %q, want %q; images %q", got, want, r.Images)
	}
	for _, words := range []string{"Yıllık rapor", "2026", "Dalga", "\nKıyıda\n", "ses.mp3", "y z.csv", "linked.pdf"} {
		if !strings.Contains(r.Text, words) {
			t.Errorf("%q is not in the index: %q", words, r.Text)
		}
	}
}

func TestWriters(t *testing.T) {
	tests := map[string]struct {
		kind         record.Kind
		list, single string
		want         []record.Person
	}{
		"of a column":                   {record.Column, `{"Fullname":" Ali  Veli","WriterId":"w1"}`, "", []record.Person{{ID: "w1", Name: "Ali Veli"}}},
		"id from the list":              {record.Column, `{"WriterId":"w1"}`, `{"Fullname":"Ali"}`, []record.Person{{ID: "w1", Name: "Ali"}}},
		"name alone":                    {record.Column, "", `{"Fullname":"Ali"}`, []record.Person{{Name: "Ali"}}},
		"id alone":                      {record.Column, `{"WriterId":7}`, "", []record.Person{{ID: "7"}}},
		"none":                          {record.Column, `{"Fullname":" "}`, "", nil},
		"of an article":                 {record.Article, "", `{"Writers":[{"Id":"w1","Fullname":"Ali"},{"Fullname":"<b>Veli</b>"},{"Id":"w3"},{}]}`, []record.Person{{ID: "w1", Name: "Ali"}, {Name: "Veli"}, {ID: "w3"}}},
		"one object, not a list":        {record.Article, "", `{"Writers":{"Id":"w1","Fullname":"Ali"}}`, []record.Person{{ID: "w1", Name: "Ali"}}},
		"the single record is not told": {record.Article, `{"Writers":[{"Id":"w1","Fullname":"Ali"}]}`, `{"Writers":[]}`, []record.Person{{ID: "w1", Name: "Ali"}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := fill(t, test.kind, test.list, test.single).Writers; !slices.Equal(got, test.want) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestTags(t *testing.T) {
	r := fill(t, record.Article, `{"Tags":[" Spor","spor","Spor ","kar","kâr","<i>a</i> &amp; b","","<br>",7]}`, "")
	if want := []string{"Spor", "spor", "kar", "kâr", "a & b", "7"}; !slices.Equal(r.Tags, want) {
		t.Errorf("got %q, want %q", r.Tags, want)
	}
	var many []string
	for i := range 1000 {
		many = append(many, strconv.Itoa(i))
	}
	r = fill(t, record.Article, `{"Tags":[`+strings.Join(many, ",")+`]}`, "")
	if !slices.Equal(r.Tags, many[:200]) {
		t.Errorf("%d tags, want the first 200", len(r.Tags))
	}
}

// What is related to a related record is not followed, however deep it goes.
func TestRelatedInside(t *testing.T) {
	inner := `{"Id":"1"}`
	for range 50 {
		inner = `{"Id":"2","RelatedNews":[` + inner + `]}`
	}
	r := fill(t, record.Article, "", `{"Id":"1","RelatedNews":[`+inner+`,{"Id":"1"}]}`)
	if want := []record.Reference{{ID: "2"}, {ID: "1"}}; !slices.Equal(r.Related, want) {
		t.Errorf("related %+v, want %+v", r.Related, want)
	}
}
