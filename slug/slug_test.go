package slug_test

import (
	"regexp"
	"strings"
	"testing"

	"ayna/slug"
)

func TestSlug(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"Turkish letters", "Ğğ Üü Şş Öö Çç", "gg-uu-ss-oo-cc"},
		{"apostrophe joins", "İstanbul'da ÇOK ısı", "istanbulda-cok-isi"},
		{"curly apostrophe joins", "Iğdır’da", "igdirda"},
		{"İSTANBUL", "İSTANBUL", "istanbul"},
		{"istanbul", "istanbul", "istanbul"},
		{"ISPARTA", "ISPARTA", "isparta"},
		{"ısparta", "ısparta", "isparta"},
		{"combining dot", "I\u0307stanbul i\u0307stanbul", "istanbul-istanbul"},
		{"NFC", "Ga\u0308nge \u00e7", "gange-c"},
		{"NFD", "G\u00e4nge c\u0327", "gange-c"},
		{"direction", "\u202Eters\u202C \u2066yalıtık\u2069", "ters-yalitik"},
		{"stacked marks", "z\u0301\u0302\u0303al\u0300go", "zalgo"},
		{"homoglyph", "аpple", "apple"}, // its first letter is Cyrillic
		{"circumflex", "kâr hâlâ", "kar-hala"},
		{"numbers", "1.500 TL, %5 zam", "1-500-tl-5-zam"},
		{"ampersand is a word", "a & b", "a-ve-b"},
		{"underscores are hyphens", "__a_ _b__", "a-b"},
		{"underscore by another name", "a\u02CDb", "a-b"},
		{"hyphens", "--a -- b--", "a-b"},
		{"other scripts", "Привет 日本", "privet-ri-ben"},
		{"NUL", "a\x00b", "a-b"},
		{"dots", "../index.html", "index-html"},
		{"nothing left", "…!?", ""},
		{"emoji alone", "😀", ""},
		{"empty", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := slug.Of(test.text, "tr"); got != test.want {
				t.Errorf("Of(%q) = %q, want %q", test.text, got, test.want)
			}
		})
	}
	for _, test := range []struct{ language, text, want string }{
		{"de", "Über Öl & Straßenbau", "ueber-oel-und-strassenbau"}, {"de-AT", "Grüße", "gruesse"}, {"tr-TR", "Übü", "ubu"}, {"sv", "Åäö", "aao"}, {"fr", "L’œuvre d'été", "loeuvre-dete"},
		{"pl", "Łódź żegna zimę", "lodz-zegna-zime"}, {"ru", "Статья о щуках и объезде", "statya-o-shchukakh-i-obezde"}, {"uk", "Їжак і Європа: згода, Київ", "yizhak-i-yevropa-zghoda-kyiv"},
		{"el", "Η κυβέρνηση, του αυτοκινήτου και ευχή", "i-kyvernisi-tou-aftokinitou-kai-efchi"}, {"de", "Putin Путин", "putin-putin"},
		{"ja", "東京で大雪", ""}, {"ja", "東京2026年の大雪NHK", ""}, {"ja", "2026 FIFA 決勝", "2026-fifa"}, {"zh", "北京", ""}, {"ko", "서울 소식", ""}, {"ar", "أخبار ٢٠٢٦", ""}, {"fa", "۱۴۰۵", "1405"}, {"he", "חדשות", ""},
		{"de", "Das Wort سلام im Titel", "das-wort-im-titel"}, {"ru", "A & B", "a-b"},
	} {
		if got := slug.Of(test.text, test.language); got != test.want {
			t.Errorf("%s: Of(%q) = %q, want %q", test.language, test.text, got, test.want)
		}
	}
	if got := slug.Of("a & b", "en"); got != "a-and-b" {
		t.Errorf("in English: %q", got)
	}
}

// TestSlugIsCut: a name has a length that every file system takes.
func TestSlugIsCut(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"between words":  {strings.Repeat("deneme ", 40), strings.Repeat("deneme-", 10)[:69]},
		"one long word":  {strings.Repeat("ş", 500), strings.Repeat("s", 72)},
		"hyphen at edge": {strings.Repeat("a", 71) + " b", strings.Repeat("a", 71)},
		"just fits":      {strings.Repeat("a", 72), strings.Repeat("a", 72)},
	}
	for name, test := range tests {
		if got := slug.Of(test.text, "tr"); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func FuzzSlug(f *testing.F) {
	for _, seed := range []string{"İstanbul'da", "_a_", "\xff\xfe", "\u202e", strings.Repeat("ş ", 99)} {
		f.Add(seed)
	}
	shape := regexp.MustCompile(`^(?:[0-9a-z]+(?:-[0-9a-z]+)*)?$`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, language := range []string{"tr", "en"} {
			s := slug.Of(text, language)
			if !shape.MatchString(s) || len(s) > 72 {
				t.Errorf("Of(%q, %s) = %q", text, language, s)
			}
			if again := slug.Of(s, language); again != s {
				t.Errorf("Slug of the slug %q is %q", s, again)
			}
		}
	})
}
