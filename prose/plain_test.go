package prose

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPlain(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"trimmed", "  Körfezde bahar \r\n", "Körfezde bahar"},
		{"curly quotes stay", "“Deniz” ve ‘kıyı’", "“Deniz” ve ‘kıyı’"},
		{"letters stay", "İSTANBUL'da Iğdır ışığı", "İSTANBUL'da Iğdır ışığı"},
		{"entities once", "Ali &amp; Veli &quot;tamam&quot; &uuml;&#252;&#xfc;", `Ali & Veli "tamam" üüü`},
		{"entities not twice", "&amp;lt;b&amp;gt; AT&amp;amp;T", "&lt;b&gt; AT&amp;T"},
		{"decoded tags are words", "&lt;b&gt;kalın&lt;/b&gt;", "<b>kalın</b>"},
		{"bare ampersand", "AT&T A & B", "AT&T A & B"},
		{"tags", "<b>kalın</b> ve <i>eğik</i>", "kalın ve eğik"},
		{"tags join no words", "Kör<b>fez</b>", "Körfez"},
		{"blocks divide words", "<p>bir</p><p>iki</p>üç<br>dört", "bir iki üç dört"},
		{"script", "a<script>alert(1)</script>b<style>x{}</style>c", "abc"},
		{"signs", "x < y ve y > z, 5<6, <3, a <- b", "x < y ve y > z, 5<6, <3, a <- b"},
		{"no element of HTML", "<ad soyad> alanı, x<y iken", "<ad soyad> alanı, x<y iken"},
		{"names of attributes are words", "<min> ile <max> arası, <value> ve <SIZE>", "<min> ile <max> arası, <value> ve <SIZE>"},
		{"addresses are words", "<https://haber.example/1?a=b> ve <http://x.y>, <mailto:a@x.y?b=c>, <a@x.y>", "<https://haber.example/1?a=b> ve <http://x.y>, <mailto:a@x.y?b=c>, <a@x.y>"},
		{"joined words are words", "<ali-veli> ile <Ad:Soyad>, <x-y", "<ali-veli> ile <Ad:Soyad>, <x-y"},
		{"elements of other languages", `a<o:p>b</O:P><o:p/><my-tag>c</my-tag>d<v:shape id="x">e</st1:place><amp-ad width=1>f<o:p></o:p>`, "abcdef"},
		{"sign at the end", "5 <", "5 <"},
		{"cut-off tag", `Başlık <a href="https://haber.example/`, "Başlık"},
		{"cut-off end tag", "<b>Başlık</b", "Başlık"},
		{"tag without an end", "a <b kalan", "a <b kalan"},
		{"tag without an end, in bold", "<b>a</b> <p kalan &amp; 1 < 2", "a <p kalan & 1 < 2"},
		{"name of a tag at the end", "a <b", "a <b"},
		{"quote without an end", `a <b title="x>y <i>kalan</i>`, `a <b title="x>y <i>kalan</i>`},
		{"hostile tag without an end", "a <img/src/onerror", "a <img/src/onerror"},
		{"cut-off word", "x <y", "x <y"},
		{"comment", "a<!-- yok -->b", "ab"},
		{"textarea", "<textarea>a<b>b</textarea>c", "abc"},
		{"no-break blanks", "5&nbsp;km\u00a0yol\u2003uzun", "5 km yol uzun"},
		{"control characters", "a\x00b\x1fc\x7fd\u0085e&#1;f", "abcd ef"},
		{"direction", "a\u202eb\u202c\u2066c\u2069\ufeffd", "abcd"},
		{"marks and joiners stay", "a\u200fb 👩\u200d🚒 ko\u00adlay", "a\u200fb 👩\u200d🚒 ko\u00adlay"},
		{"invalid", "a\xffb\xed\xa0\x80c", "a\ufffdb\ufffdc"},
		{"a dot", ".", "."},
		{"empty", " &nbsp; <p></p>", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := Plain(c.text); got != c.want {
				t.Errorf("Plain(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, " \u00a0\u2003": false, "\u200b\u200b": false, "\u00ad": false, "\u200d\u200f\ufe0f": false, "\u034f\u0301": false, "\u3164\u115f": false,
		"a": true, "\u200b1": true, ".": true, "🌊": true, "ش": true, "\u00ad—": true,
	} {
		if got := Visible(text); got != want {
			t.Errorf("Visible(%q) = %t", text, got)
		}
	}
}

func TestXML(t *testing.T) {
	cases := []struct{ text, want string }{
		{"a\tb\nc\rd", "a\tb\nc\rd"},
		{"a\x00\x01\x08\x0b\x0c\x0e\x1f\x7f\u0080\u009fb", "ab"},
		{"a\u0085b", "a b"},
		{"a\ufffe\uffff\ufdd0\ufdef\U0001ffffb", "ab"},
		{"a\ufdcf\ufdf0\ufffdb", "a\ufdcf\ufdf0\ufffdb"},
		{"a\xff\xfeb\xc0", "a\ufffdb\ufffd"},
		{"İıŞş 👩‍🚒 \u200f\u00ad\u00a0", "İıŞş 👩‍🚒 \u200f\u00ad\u00a0"},
		{"]]>", "]]>"},
	}
	for _, c := range cases {
		if got := StripInvalidXML(c.text); got != c.want {
			t.Errorf("StripInvalidXML(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestShorten(t *testing.T) {
	cases := []struct {
		text  string
		runes int
		want  string
	}{
		{"kısa", 4, "kısa"},
		{"Körfezde bahar erken geldi", 16, "Körfezde bahar…"},
		{"Körfezde bahar, erken geldi", 16, "Körfezde bahar…"},
		{"Körfezde bahar erken geldi", 15, "Körfezde bahar…"},
		{"Körfezde bahar erken geldi", 14, "Körfezde…"},
		{"Afyonkarahisarlılaştıramadıklarımızdan", 10, "Afyonkara…"},
		{"a Afyonkarahisarlılaştıramadıklarımız", 20, "a Afyonkarahisarlıl…"},
		{"abcdee\u0301f", 7, "abcde…"},
		{"abc👩\u200d🚒x", 6, "abc…"},
		{"ab👍🏽c", 4, "ab…"},
		{"a🇹🇷🇹🇷", 4, "a🇹🇷…"},
		{"a🇹🇷🇹🇷b", 3, "a…"},
		{"abc", 1, "…"},
		{"abc", 0, ""},
		{"abc", -1, ""},
		{"👩\u200d🚒👩\u200d🚒", 3, "…"},
	}
	for _, c := range cases {
		got := Shorten(c.text, c.runes)
		if got != c.want {
			t.Errorf("Shorten(%q, %d) = %q, want %q", c.text, c.runes, got, c.want)
		}
		if n := utf8.RuneCountInString(got); n > max(c.runes, 0) {
			t.Errorf("Shorten(%q, %d) has %d runes", c.text, c.runes, n)
		}
	}
}

func TestSafeURL(t *testing.T) {
	cases := []struct{ address, want string }{
		{"https://haber.example/a-1", "https://haber.example/a-1"},
		{"http://haber.example", "http://haber.example"},
		{" https://haber.example/a \n", "https://haber.example/a"},
		{"HTTPS://Haber.Example/A", "https://haber.example/A"},
		{"https://haber.example:8443/a?x=1&y=2#z", "https://haber.example:8443/a?x=1&y=2#z"},
		{"https://haber.example/a b/\"ş\".jpg", "https://haber.example/a%20b/%22%C5%9F%22.jpg"},
		{"https://haber.example/a%20b%2Fc/%C5%9F ş", "https://haber.example/a%20b%2Fc/%C5%9F%20%C5%9F"},
		{"https://haber.example/%zz%", "https://haber.example/%25zz%25"},
		{"https://haber.example/?s=iğne oyası&t=|", "https://haber.example/?s=i%C4%9Fne%20oyas%C4%B1&t=%7C"},
		{"https://haber.example/a\\b", "https://haber.example/a%5Cb"},
		{"https://haber.example/'a'(b)[c]", "https://haber.example/'a'(b)[c]"},
		{"ht\ntps://haber.example/a\tb", "https://haber.example/ab"},
		{"https://akçaliman.example/", "https://xn--akaliman-t0a.example/"},
		{"http://[::1]:8080/a", "http://[::1]:8080/a"},
		{"\x01https://haber.example/a\x00\x1f\x7fb\x02", "https://haber.example/ab"},
		{"https://haber.example/%0a%7F", "https://haber.example/%0a%7F"},
		{"", ""},
		{"/gundem/a", ""},
		{"//haber.example/a", ""},
		{"haber.example/a", ""},
		{"javascript:alert(1)", ""},
		{"javascript://haber.example/%0aalert(1)", ""},
		{"data:text/html,x", ""},
		{"ftp://haber.example/", ""},
		{"file:///etc/passwd", ""},
		{"mailto:a@haber.example", ""},
		{"https:haber.example", ""},
		{"https:///a", ""},
		{"https://:80/", ""},
		{"https://ad:sifre@haber.example/", ""},
		{"https://@haber.example/", ""},
		{"https://haber.example\\@kotu.example/", ""},
		{"https://haber.example:x/", ""},
		{"https://ha ber.example/", ""},
		{"https://haber.example/" + strings.Repeat("a", maxAddress), ""},
		{"https://haber.example/" + strings.Repeat("ş", 500), ""},
	}
	for _, c := range cases {
		got, ok := SafeURL(c.address)
		if !ok {
			got = ""
		}
		if ok != (c.want != "") || got != c.want {
			t.Errorf("SafeURL(%q) = %q, %v, want %q", c.address, got, ok, c.want)
		}
		if again, _ := SafeURL(got); ok && again != got {
			t.Errorf("SafeURL is not stable: %q, then %q", got, again)
		}
	}
}
