package prose

import (
	"strings"
	"testing"
)

func TestHeadingIDs(t *testing.T) {
	for _, c := range []struct{ language, heading, want string }{
		{"de", "Über Äpfel & Öl", "ueber-aepfel-und-oel"},
		{"en-GB", "Fish & chips", "fish-and-chips"},
		{"tr", "Künye & İletişim", "kunye-ve-iletisim"},
		{"el", "Όροι χρήσης", "oroi-chrisis"},
		{"ja", "編集部について", "h"},
	} {
		page, err := RenderMarkdown([]byte("Text\n\n## "+c.heading), "Table", c.language)
		if want := `<h2 id="` + c.want + `">`; err != nil || !strings.Contains(string(page.HTML), want) {
			t.Errorf("%s: %s has no %s; %v", c.language, page.HTML, want, err)
		}
	}
}

func TestPage(t *testing.T) {
	const box = `<div class="table" role="region" tabindex="0" aria-label="Tablo">`
	cases := []struct {
		name, src string
		want      Page
	}{
		{"front matter", "---\ntitle: Künye\ndescription: Bu site kimin?\n---\nMerhaba **dünya**.\n",
			Page{"Künye", "Bu site kimin?", "<p>Merhaba <strong>dünya</strong>.</p>\n"}},
		{"none", "Merhaba", Page{"", "", "<p>Merhaba</p>\n"}},
		{"empty front matter", "---\n---\nMerhaba", Page{"", "", "<p>Merhaba</p>\n"}},
		{"front matter alone", "---\ntitle: Künye\n---", Page{"Künye", "", ""}},
		{"line ends of Windows, byte order mark", "\ufeff---\r\ntitle: Künye\r\n---\r\nMerhaba\r\n", Page{"Künye", "", "<p>Merhaba</p>\n"}},
		{"title from the heading", "# Bu *ayna* nedir?\n\nMetin", Page{"Bu ayna nedir?", "", "<p>Metin</p>\n"}},
		{"title twice", "---\ntitle: Künye\n---\n# Künye\n\nMetin", Page{"Künye", "", "<p>Metin</p>\n"}},
		{"another heading stays", "---\ntitle: Künye\n---\n# Adres\n\nMetin", Page{"Künye", "", "<h2 id=\"adres\">Adres</h2>\n<p>Metin</p>\n"}},
		{"Turkish ids", "## İstanbul'da ÇOK ısı\n\n## İstanbul'da çok ısı\n\n## ?", Page{"", "",
			"<h2 id=\"istanbulda-cok-isi\">İstanbul'da ÇOK ısı</h2>\n<h2 id=\"istanbulda-cok-isi-2\">İstanbul'da çok ısı</h2>\n<h2 id=\"h\">?</h2>\n"}},
		{"raw HTML is left out", "<script>alert(1)</script>\n\na <b onclick=x>b</b> [c](javascript:alert(1)) [d](javascript&colon;alert(1)) ![e](data:image/png;base64,AA)",
			Page{"", "", "\n<p>a b c d <img alt=\"e\"></p>\n"}},
		{"links", "[a](b.html#c) <posta@a.example> [d](https://d.example/?a=1&b=2)", Page{"", "",
			"<p><a href=\"b.html#c\">a</a> <a href=\"mailto:posta@a.example\">posta@a.example</a> <a href=\"https://d.example/?a=1&amp;b=2\">d</a></p>\n"}},
		{"tables and tasks", "| a |\n|--:|\n| b |\n\n- [x] c\n", Page{"", "",
			box + "<table>\n<thead>\n<tr>\n<th align=\"right\">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align=\"right\">b</td>\n</tr>\n</tbody>\n</table></div>\n<ul>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"> c</li>\n</ul>\n"}},
		{"a table in a list, one in a quotation", "- a\n\n  | b |\n  |---|\n\n> | c |\n> |---|\n", Page{"", "",
			"<ul>\n<li>a\n" + box + "<table>\n<thead>\n<tr>\n<th>b</th>\n</tr>\n</thead>\n</table></div>\n</li>\n</ul>\n<blockquote>\n" + box + "<table>\n<thead>\n<tr>\n<th>c</th>\n</tr>\n</thead>\n</table></div>\n</blockquote>\n"}},
		{"control characters", "a\x00\x01b", Page{"", "", "<p>ab</p>\n"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := RenderMarkdown([]byte(c.src), "Tablo", "tr")
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("got  %+q\nwant %+q", got, c.want)
			}
		})
	}
}

func TestPageErrors(t *testing.T) {
	cases := []struct{ name, src, want string }{
		{"never closed", "---\ntitle: a\n", "line 1"},
		{"unknown key", "---\ntitle: a\nbaslik: b\n---\n", "[3:1]"},
		{"no YAML", "---\ntitle: [a\n---\n", "[2:8]"},
		{"wrong type", "---\ntitle: {a: b}\n---\n", "[2:"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := RenderMarkdown([]byte(c.src), "Tablo", "tr")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}
