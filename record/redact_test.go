package record_test

import (
	"encoding/json"
	"errors"
	"testing"

	"ayna/record"
)

// TestRedact: what mentions a forgotten record goes, and nothing that only
// looks like it.
func TestRedact(t *testing.T) {
	article := record.Forgotten{Kind: record.Article, ID: "501", URL: "https://www.haber.example/spor/gizli-haber"}
	writer := record.Forgotten{Kind: record.Writer, ID: "w1", URL: "http://haber.example/yazarlar/ada-kaya/"}
	page := record.Forgotten{Kind: record.Page, ID: "p1", URL: "/spor/"}
	turkish := record.Forgotten{Kind: record.Article, ID: "502", URL: "https://www.haber.example/yaşam/çay%20bahçesi-502"}
	arabic := record.Forgotten{Kind: record.Article, ID: "503", URL: "https://خبر.example/أخبار/سر"}
	query := record.Forgotten{Kind: record.Article, ID: "504", URL: "http://haber.example/haber.php?no=7"}
	plain := record.Forgotten{Kind: record.Article, ID: "506", URL: "https://haber.example/?p=506"}
	own := record.Forgotten{Kind: record.Article, ID: "505", URL: "spor/gizli-505.html"}
	for _, c := range []struct {
		name      string
		forgotten record.Forgotten
		raw, want string
	}{
		{"a link", article, `{"Text":"<a href=\"https://www.haber.example/spor/gizli-haber\">x</a>"}`, `{"Text":"<a href=\"\">x</a>"}`},
		{"of another scheme and host name", article, `{"Text":"<a href='http://HABER.example/spor/gizli-haber'>"}`, `{"Text":"<a href=''>"}`},
		{"without a scheme", article, `{"Text":"<a href=\"//haber.example/spor/gizli-haber\">"}`, `{"Text":"<a href=\"\">"}`},
		{"with a slash, query and fragment", article, `{"Text":"<a href=\"http://haber.example/spor/gizli-haber/?utm=1#yorum\">"}`, `{"Text":"<a href=\"\">"}`},
		{"with escaped slashes", article, `{"Url":"https:\/\/www.haber.example\/spor\/gizli-haber"}`, `{"Url":""}`},
		{"in words", article, `{"Text":"Bakınız http://haber.example/spor/gizli-haber, http://haber.example/spor/gizli-haber. Son"}`, `{"Text":"Bakınız , . Son"}`},
		{"before an escape", article, `{"Text":"http://haber.example/spor/gizli-haber\u003c/p\n"}`, `{"Text":"\u003c/p\n"}`},
		{"a longer address", article, `{"Url":"https://www.haber.example/spor/gizli-haber-devami"}`, ""},
		{"an address below", article, `{"Url":"https:\/\/www.haber.example\/spor\/gizli-haber\/2"}`, ""},
		{"an address of another kind", article, `{"Url":"https://www.haber.example/spor/gizli-haber.pdf"}`, ""},
		{"an address elsewhere", article, `{"Url":"https://baska.example/spor/gizli-haber"}`, ""},
		{"a list's element", article, `{"RelatedNews":[{"Id":"500"},{"Id":"501"}]}`, `{"RelatedNews":[{"Id":"500"}]}`},

		{"raw letters", turkish, `{"Url":"https://haber.example/yaşam/çay bahçesi-502"}`, `{"Url":""}`},
		{"percent signs", turkish, `{"Url":"https://haber.example/ya%C5%9Fam/%C3%A7ay%20bah%C3%A7esi-502"}`, `{"Url":""}`},
		{"percent signs in lower case", turkish, `{"Url":"https://haber.example/ya%c5%9fam/%c3%a7ay%20bah%c3%a7esi-502"}`, `{"Url":""}`},
		{"escapes of JSON", turkish, `{"Url":"https:\/\/haber.example\/ya\u015fam\/\u00E7ay\u0020bah\u00e7esi-502","Title":"\u00e7"}`, `{"Url":"","Title":"\u00e7"}`},
		{"escapes of HTML", turkish, `{"Text":"<a href='https://haber.example/ya&#351;am/&ccedil;ay&#x20;bah&ccedil;esi-502?a=1&amp;b=2'>&ccedil;</a>"}`, `{"Text":"<a href=''>&ccedil;</a>"}`},
		{"in the query of another address", turkish, `{"Text":"<a href=\"https://teilen.example/?u=https%3A%2F%2Fwww.haber.example%2Fya%25C5%259Fam%2F%25C3%25A7ay%2520bah%25C3%25A7esi-502&amp;t=1\">"}`, `{"Text":"<a href=\"https://teilen.example/?u=&amp;t=1\">"}`},
		{"JSON in JSON", turkish, `{"Extra":"{\"u\":\"https:\\/\\/haber.example\\/ya\\u015fam\\/\\u00e7ay bah\\u00e7esi-502\"}"}`, `{"Extra":"{\"u\":\"\"}"}`},
		{"without a host", turkish, `{"Url":"/yaşam/çay%20bahçesi-502","Text":"<a href=\"/ya%c5%9fam/%c3%a7ay%20bah%c3%a7esi-502/\">x</a> <a href=../yaşam/çay&nbsp;>"}`, `{"Url":"","Text":"<a href=\"\">x</a> <a href=../yaşam/çay&nbsp;>"}`},
		{"relative", article, `{"Text":"<a href='../../spor/gizli-haber#a'>x</a> <a href=./spor/gizli-haber>"}`, `{"Text":"<a href=''>x</a> <a href=>"}`},
		{"relative, in the same folder", article, `{"Text":"<a href=\"gizli-haber\">x</a> <a href = './gizli-haber/?a=1'> <A HREF=gizli-haber>"}`, `{"Text":"<a href=\"\">x</a> <a href = ''> <A HREF=>"}`},
		{"relative, from other folders", article, `{"Text":"<a href=\"../gizli-haber\"> <a href='spor/gizli-haber'> <a href='../../spor/gizli-haber'>"}`, `{"Text":"<a href=\"\"> <a href=''> <a href=''>"}`},
		{"relative, with escapes", turkish, `{"Text":"<a href=\u0022%c3%a7ay%20bah\u00e7esi-502\u0022> <a href='&ccedil;ay bahçesi-502'>"}`, `{"Text":"<a href=\u0022\u0022> <a href=''>"}`},
		{"relative, of another folder", article, `{"Text":"<a href='futbol/gizli-haber'> <a href='gizli-haber-2'> <a href='gizli-haber.pdf'> <a href='çok-gizli-haber'>"}`, ""},
		{"its last part elsewhere", article, `{"Title":"gizli-haber","Text":"<img alt=\"gizli-haber\" data-x='a=gizli-haber'> gizli-haber"}`, ""},
		{"without a scheme, in words", article, `{"Text":"www.haber.example/spor/gizli-haber, eski.haber.example/spor/gizli-haber"}`, `{"Text":", eski.haber.example/spor/gizli-haber"}`},
		{"a folder of the same name", article, `{"Path":"/spor/gizli-haber/"}`, ""},
		{"forms of WordPress", article, `{"Text":"<iframe src=\"https://haber.example/spor/gizli-haber/embed/#?secret=x\"> <a href='/spor/gizli-haber/feed'> <a href='/spor/gizli-haber/amp/'>"}`, `{"Text":"<iframe src=\"\"> <a href=''> <a href=''>"}`},
		{"no form of WordPress", article, `{"Text":"<a href='/spor/gizli-haber/feedback/'> <a href='/spor/gizli-haber/amp/devam'>"}`, ""},
		{"plain permalinks of WordPress", plain, `{"Url":"https://haber.example/?p=506","Text":"<a href='/?p=506'> <a href=\"?p=506\"> http://www.haber.example/?p=506, <a href='https://haber.example/?p=506&#038;embed=true'>"}`, `{"Url":"","Text":"<a href=''> <a href=\"\"> , <a href='&#038;embed=true'>"}`},
		{"other plain permalinks", plain, `{"Text":"<a href='/?p=5061'> https://haber.example/?p=50 https://haber.example/ https://haber.example/?page_id=506"}`, ""},
		{"Arabic letters", arabic, `{"Text":"انظر https://خبر.example/أخبار/سر، و"}`, `{"Text":"انظر ، و"}`},
		{"an Arabic host in ASCII", arabic, `{"Url":"https://xn--ngblk.example/%D8%A3%D8%AE%D8%A8%D8%A7%D8%B1/%d8%b3%d8%b1"}`, `{"Url":""}`},
		{"a longer Arabic address", arabic, `{"Url":"https://خبر.example/أخبار/سري"}`, ""},
		{"a query that matters", query, `{"Url":"http://haber.example/haber.php?no=7","B":"http://haber.example/haber.php?no=7#x","C":"http://haber.example/haber.php?no=71"}`, `{"Url":"","B":"#x","C":"http://haber.example/haber.php?no=71"}`},
		{"another query", query, `{"Url":"http://haber.example/haber.php?no=8"}`, ""},
		{"the page of a mirror", own, `{"Text":"<a href=\"https://ayna.example/m/spor/gizli-505.html#a\">x</a> /spor/gizli-505.md /spor/gizli-5055.html"}`, `{"Text":"<a href=\"https://ayna.example/m#a\">x</a>  /spor/gizli-5055.html"}`},

		{"ids in a list", article, `{"RelatedIds":["500","501"],"relatedIds":[500, 501],"Tags":["501"],"Views":501}`, `{"RelatedIds":["500"],"relatedIds":[500],"Tags":["501"],"Views":501}`},
		{"a member", article, `{"Parent":{"Id":"501","Title":"x"},"ParentId":"501","a":1}`, `{"a":1}`},
		{"its own id", article, `{"Id":"501"}`, ""},
		{"an id with escapes", article, `{"RelatedNews":[{"Id":"5\u00301"}]}`, `{"RelatedNews":[]}`},
		{"a writer of that id", article, `{"WriterId":"501","Writers":[{"Id":"501"}]}`, ""},
		{"the id of a writer", writer, `{"WriterId":"w1","Fullname":"Ada","Writers":[{"Id":"w1"}]}`, `{"Fullname":"Ada","Writers":[]}`},

		{"a writer's page", writer, `{"Text":"<a href=\"http://haber.example/yazarlar/ada-kaya\">"}`, `{"Text":"<a href=\"\">"}`},
		{"a writer's column", writer, `{"Url":"https://haber.example/yazarlar/ada-kaya/bir-yazi-502","WriterId":"w2"}`, ""},

		{"a page's link", page, `{"Text":"<a href=\"/spor/\">Spor</a> <a href='/spor'>"}`, `{"Text":"<a href=\"\">Spor</a> <a href=''>"}`},
		{"a folder of the page's address", page, `{"Path":"/spor/","Url":"/spor/futbol/","Text":"/spor/ klasörü"}`, ""},
		{"a link below a page", page, `{"Text":"<a href=\"/spor/futbol/\">"}`, ""},
		{"another page's address", page, `{"Text":"<a href=\"http://haber.example/spor/\">"}`, ""},

		{"no address", record.Forgotten{Kind: record.Article, ID: "501"}, `{"Url":"","Path":"/"}`, ""},
		{"a home page", record.Forgotten{Kind: record.Page, ID: "p2", URL: "https://haber.example/"}, `{"Url":"https://haber.example/x"}`, ""},
	} {
		if c.want == "" {
			c.want = c.raw
		}
		redaction := record.NewRedaction(c.forgotten)
		got, err := redaction.Apply([]byte(c.raw))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v; want %s", c.name, got, err, c.want)
		}
		if c.raw != c.want && !redaction.Mentions([]byte(c.raw)) {
			t.Errorf("%s is no mention", c.name)
		}
	}
}

// A text that is not JSON and mentions a forgotten record cannot be kept.
func TestRedactDamaged(t *testing.T) {
	r := record.NewRedaction(record.Forgotten{Kind: record.Article, ID: "501", URL: "https://haber.example/spor/gizli"})
	for raw, kept := range map[string]bool{
		`{"Text":"https://haber.example/spor/gizli`:         false,
		`{"Text":"https://haber.example/spor/acik`:          true,
		`{"RelatedNews":[{"Id":"501"`:                       false,
		"\x00\xff https:\\/\\/haber.example\\/spor\\/gizli": false,
	} {
		got, err := r.Apply([]byte(raw))
		if kept && (err != nil || string(got) != raw) || !kept && !errors.Is(err, record.ErrUnredacted) {
			t.Errorf("%s: %s, %v", raw, got, err)
		}
		if r.Mentions([]byte(raw)) == kept {
			t.Errorf("%s mentions one: %t", raw, !kept)
		}
	}
}

// What is left of JSON is JSON, and has nothing more to remove.
func FuzzRedact(f *testing.F) {
	for _, raw := range []string{
		`{"Url":"https:\/\/haber.example\/\u00e7ay","RelatedNews":[{"Id":"501"}]}`,
		`{"Text":"<a href=\"\\/%c3%a7ay?\\\"\">&ccedil;ay \\\\/çay\\"}`, `["\ud83d\ude00/çay\ud83d",{"Id":501}]`,
		`{"Text":"href=\b %C3%A7ay\bçay <a href = '../çay'>"}`,
	} {
		f.Add([]byte(raw))
	}
	r := record.NewRedaction(record.Forgotten{Kind: record.Article, ID: "501", URL: "https://haber.example/çay"})
	f.Fuzz(func(t *testing.T, raw []byte) {
		kept, err := r.Apply(raw)
		if err != nil {
			if json.Valid(raw) && !errors.Is(err, record.ErrUnredacted) {
				t.Errorf("%s: %v", raw, err)
			}
			return
		}
		if json.Valid(raw) && !json.Valid(kept) {
			t.Errorf("%s became %s", raw, kept)
		}
		if again, err := r.Apply(kept); err != nil || string(again) != string(kept) {
			t.Errorf("%s became %s, and then %s, %v", raw, kept, again, err)
		}
	})
}
