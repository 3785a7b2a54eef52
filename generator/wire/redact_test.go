package wire_test

import (
	"testing"

	"ayna/archive"
	"ayna/generator/wire"
)

// TestRedactD55: what mentions a forgotten record goes, and nothing that only
// looks like it.
func TestRedactD55(t *testing.T) {
	article := archive.Forgotten{Kind: archive.Article, ID: "501", URL: "https://www.haber.example/spor/gizli-haber"}
	writer := archive.Forgotten{Kind: archive.Writer, ID: "w1", URL: "http://haber.example/yazarlar/ada-kaya/"}
	page := archive.Forgotten{Kind: archive.Page, ID: "p1", URL: "/spor/"}
	for _, c := range []struct {
		name      string
		forgotten archive.Forgotten
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

		{"a writer's page", writer, `{"Text":"<a href=\"http://haber.example/yazarlar/ada-kaya\">"}`, `{"Text":"<a href=\"\">"}`},
		{"a writer's column", writer, `{"Url":"https://haber.example/yazarlar/ada-kaya/bir-yazi-502","WriterId":"w2"}`, ""},

		{"a page's link", page, `{"Text":"<a href=\"/spor/\">Spor</a> <a href='/spor'>"}`, `{"Text":"<a href=\"\">Spor</a> <a href=''>"}`},
		{"a folder of the page's address", page, `{"Path":"/spor/","Url":"/spor/futbol/","Text":"/spor/ klasörü"}`, ""},
		{"a link below a page", page, `{"Text":"<a href=\"/spor/futbol/\">"}`, ""},
		{"another page's address", page, `{"Text":"<a href=\"http://haber.example/spor/\">"}`, ""},

		{"no address", archive.Forgotten{Kind: archive.Article, ID: "501"}, `{"Url":"","Path":"/"}`, ""},
		{"a home page", archive.Forgotten{Kind: archive.Page, ID: "p2", URL: "https://haber.example/"}, `{"Url":"https://haber.example/x"}`, ""},
	} {
		if c.want == "" {
			c.want = c.raw
		}
		got, err := wire.NewRedaction(c.forgotten).Apply([]byte(c.raw))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v; want %s", c.name, got, err, c.want)
		}
	}
}
