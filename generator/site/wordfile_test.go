package site_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"ayna/generator/site"
)

// languages are those that have a file of words.
var languages = []string{"ar", "de", "el", "en", "es", "fa", "fr", "he", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "uk", "zh", "zh-Hant"}

// latin are those whose words stand in addresses.
var latin = []string{"de", "en", "es", "fr", "it", "nl", "pl", "pt", "tr"}

// TestWordFiles reads each language's file as an owner's: that checks names, forms and
// placeholders. No file lacks a word or a plural form of its language, nor has another
// language's letters.
func TestWordFiles(t *testing.T) {
	files, err := filepath.Glob("words/*.yaml")
	if err != nil || len(files) != len(languages) {
		t.Fatalf("%d files of words, %v; want %d", len(files), err, len(languages))
	}
	key := regexp.MustCompile(`(?m)^[A-Za-z]+:`)
	english := key.FindAllString(read(t, "words/en.yaml"), -1)
	for _, tag := range languages {
		text := read(t, "words/"+tag+".yaml")
		// In a language without a file, each missing word is reported.
		_, missing, err := site.ReadWords("sv", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", tag, err)
		}
		if len(missing) > 0 {
			t.Errorf("%s lacks %v", tag, missing)
		}
		want := english
		if !slices.Contains(latin, tag) {
			want = slices.DeleteFunc(slices.Clone(english), func(key string) bool { return strings.HasSuffix(key, "Dir:") || key == "AboutName:" })
		}
		if has := key.FindAllString(text, -1); !slices.Equal(has, want) {
			t.Errorf("%s has the words %v, want %v", tag, has, want)
		}
		w := words(t, tag)
		if w.Mark != "" {
			t.Errorf("%s: the words are marked as %s", tag, w.Mark)
		}
		for _, p := range []site.Plural{w.Counts[site.Article], w.Counts[site.Column], w.Counts[site.Gallery], w.Counts[site.Video], w.ReadingMinutes, w.PictureBadge, w.Pictures, w.Feeds} {
			needed := make(map[plural.Form]bool)
			for n := range 1000 {
				form := plural.Cardinal.MatchPlural(language.Make(tag), n, 0, 0, 0, 0)
				needed[form] = true
				if !strings.Contains(p[form], "%s") && n > 2 {
					t.Errorf("%s: %q has no place for the number %d", tag, p[form], n)
				}
			}
			for form := range p {
				if needed[plural.Form(form)] && p[form] == "" {
					t.Errorf("%s: %q lacks the plural form %d", tag, p, form)
				}
			}
		}
		if slices.Contains([]string{"ar", "fa", "he", "ja", "ko", "zh", "zh-Hant", "ru", "uk", "el"}, tag) {
			if m := regexp.MustCompile(`: "[A-Za-z .,]{4,}"`).FindString(text); m != "" {
				t.Errorf("%s: %s is English", tag, m)
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestOwnWords reads files of an owner.
func TestOwnWords(t *testing.T) {
	for _, c := range []struct {
		name, tag, text, err string
		missing              bool
	}{
		{"one word of a language with a file", "de", "Latest: Ticker", "", false},
		{"one word of another language", "sv", "Latest: Senaste nytt", "", true},
		{"empty", "sv", "", "", true},
		{"no YAML", "sv", "Latest: [", "", false},
		{"unknown word", "sv", "Lates: Nytt", "Lates: no word has that name; nearest: Latest", false},
		{"without its placeholder", "sv", "Mirror: En spegel", `Mirror: it has the placeholders []; write each of ["s"] once`, false},
		{"with another placeholder", "sv", `Mirror: "En spegel av %d"`, `placeholders ["d"]`, false},
		{"of another form", "sv", "Mirror: [a]", "Mirror: [a] has another form", false},
		{"empty word", "sv", `Latest: ""`, "or is empty", false},
		{"plural without other", "sv", "Feeds: {one: a}", "Feeds: the plural form other is missing", false},
		{"unknown plural form", "sv", "Feeds: {several: a, other: b}", "several: a is no plural form", false},
		{"a kind is missing", "sv", "Kinds: {article: a}", "Kinds: map[article:a] has another form", false},
		{"letters of a directory", "sv", "TagsDir: ämnen", `TagsDir: "ämnen" is no directory of an address`, false},
		{"up", "sv", "TagsDir: ..", `TagsDir: ".." is no directory`, false},
		{"directory twice", "sv", "TagsDir: writers", `"writers" is the directory of WritersDir`, false},
		{"directory of pictures", "sv", "TagsDir: media", `"media" is the directory of pictures`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, missing, err := site.ReadWords(c.tag, []byte(c.text))
			if c.name == "no YAML" {
				if err == nil {
					t.Error("read")
				}
				return
			}
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("error %v, want %s", err, c.err)
				}
				return
			}
			if err != nil || (len(missing) > 0) != c.missing {
				t.Fatalf("missing %v, %v", missing, err)
			}
			if slices.Contains(missing, "Latest") != (w.Latest == "Latest") || w.Close == "" {
				t.Errorf("%q, %q; missing %v", w.Latest, w.Close, missing)
			}
		})
	}
}

// TestWordsOfOtherLanguages: without a file, words are English and marked so.
func TestWordsOfOtherLanguages(t *testing.T) {
	for tag, mark := range map[string]string{"sv": "en", "zh-Hant": "", "zh-TW": "", "zh-HK": "", "sr-Latn": "en", "zh-CN": "", "de-CH": "", "pt-PT": "", "ur": "en", "en-US": "", "tr-CY": ""} {
		if w := words(t, tag); w.Mark != mark {
			t.Errorf("%s: the words are marked %q, want %q", tag, w.Mark, mark)
		}
	}
	for tag, dir := range map[string]string{"ar": "rtl", "he": "rtl", "fa-AF": "rtl", "ur": "rtl", "ckb": "rtl", "ku": "ltr", "pa-Arab": "rtl", "dv": "rtl", "de": "ltr", "ja": "ltr", "az": "ltr"} {
		if got := site.Direction(tag); got != dir {
			t.Errorf("%s: direction %s, want %s", tag, got, dir)
		}
	}
}

func TestUnknownLanguages(t *testing.T) {
	for tag, nearest := range map[string]string{"xx-klingon": "nearest: ", "german": "de", "turkish": "tr", "": "nearest", "e": "nearest", "und": "nearest", "tr_TR.UTF-8": "tr", "..": "nearest"} {
		if _, err := site.WordsFor(tag); err == nil || !strings.Contains(err.Error(), nearest) || !strings.Contains(err.Error(), "language tag") {
			t.Errorf("%q: %v", tag, err)
		}
	}
}

// TestNumbers writes numbers with their digits in groups.
func TestNumbers(t *testing.T) {
	for tag, want := range map[string]string{"tr": "1.234 1.234.567 2026", "en": "1,234 1,234,567 2026", "es": "1234 1.234.567 2026", "pl": "1234 1\u00a0234\u00a0567 2026", "fr": "1\u202f234 1\u202f234\u202f567 2026", "hi": "1,234 12,34,567 2026", "fa": "۱٬۲۳۴ ۱٬۲۳۴٬۵۶۷ ۲۰۲۶", "ja": "1,234 1,234,567 2026"} {
		w := words(t, tag)
		if got := w.Digits(1234) + " " + w.Digits(1234567) + " " + w.Ungrouped(2026); got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
}

// TestPlurals writes numbers of things.
func TestPlurals(t *testing.T) {
	for tag, want := range map[string]string{
		"en": "0 articles|1 article|2 articles|5 articles|21 articles", "tr": "0 haber|1 haber|2 haber|5 haber|21 haber", "fr": "0 article|1 article|2 articles|5 articles|21 articles",
		"ru": "0 статей|1 статья|2 статьи|5 статей|21 статья", "pl": "0 artykułów|1 artykuł|2 artykuły|5 artykułów|21 artykułów", "uk": "0 статей|1 стаття|2 статті|5 статей|21 стаття",
		"ar": "لا أخبار|خبر واحد|خبران|5 أخبار|21 خبرًا", "he": "0 כתבות|כתבה אחת|שתי כתבות|5 כתבות|21 כתבות", "ja": "記事0本|記事1本|記事2本|記事5本|記事21本",
	} {
		w := words(t, tag)
		var got []string
		for _, n := range []int{0, 1, 2, 5, 21} {
			got = append(got, w.Number(w.Counts[site.Article], n))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
}

// TestWordsInAddresses: directories are the language's in Latin letters, else English.
func TestWordsInAddresses(t *testing.T) {
	english := words(t, "en")
	for _, tag := range languages {
		w := words(t, tag)
		own := slices.Contains(latin, tag) && tag != "en"
		if (w.WritersDir != english.WritersDir) != own || reflect.DeepEqual(w.KindDirs, english.KindDirs) == own {
			t.Errorf("%s: %s, %v", tag, w.WritersDir, w.KindDirs)
		}
	}
}
