package site_test

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"ayna/generator/site"
)

// TestOwnWords reads files of an owner.
func TestOwnWords(t *testing.T) {
	for _, c := range []struct {
		name, tag, text, err string
		missing              bool
	}{
		{"one word of a language with a file", "de", "Latest: Ticker", "", false},
		{"one word of another language", "sv", "Latest: Senaste nytt", "", true},
		{"a directory of another language", "sv", "PagesDir: sidor", "", true},
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
			if err != nil || slices.Contains(missing, "Close") != c.missing {
				t.Fatalf("missing %v, %v", missing, err)
			}
			if len(w.KindDirs) != len(site.Kinds) {
				t.Errorf("kinds in addresses: %v", w.KindDirs)
			}
			if slices.Contains(missing, "Latest") != (w.Latest == "Latest") || w.Close == "" {
				t.Errorf("%q, %q; missing %v", w.Latest, w.Close, missing)
			}
		})
	}
}

// TestMissingWords reads the files of a release in which German lacks words.
func TestMissingWords(t *testing.T) {
	english, german := words(t, "en"), words(t, "de")
	for _, c := range []struct {
		name           string
		own            []byte
		lacks, missing []string
	}{
		{"a text", nil, []string{"Related"}, nil},
		{"texts of several forms", nil, []string{"Feeds", "AboutText", "CorrectionFields", "Found"}, nil},
		{"a directory", nil, []string{"KindsDir"}, nil},
		{"the kinds, which are in addresses", nil, []string{"Kinds"}, nil},
		{"an owner's file is told", []byte("Latest: Ticker"), []string{"Related", "KindsDir"}, []string{"Related"}},
		{"an owner's file has it", []byte("Related: Mehr dazu"), []string{"Related"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := read(t, "words/de.yaml")
			for _, name := range c.lacks {
				text = regexp.MustCompile(`(?m)^`+name+`:.*\n(?: .*\n)*`).ReplaceAllString(text, "")
			}
			files := fstest.MapFS{"words/de.yaml": {Data: []byte(text)}, "words/en.yaml": {Data: []byte(read(t, "words/en.yaml"))}}
			w, missing, err := site.ReadWordsIn(files, "de", c.own)
			if err != nil || c.own == nil && missing != nil {
				t.Fatalf("missing %v, %v", missing, err)
			}
			if w.Mark != "" || w.Close != german.Close || w.TagsDir != german.TagsDir {
				t.Errorf("marked %q, with %q and %q", w.Mark, w.Close, w.TagsDir)
			}
			for _, name := range c.lacks {
				has, want := fieldOf(w, name), fieldOf(english, name)
				if strings.HasPrefix(string(c.own), name) {
					want = "Mehr dazu"
				}
				if !reflect.DeepEqual(has, want) || slices.Contains(missing, name) != slices.Contains(c.missing, name) {
					t.Errorf("%s is %v, want %v; missing %v, want %v", name, has, want, missing, c.missing)
				}
			}
			if !reflect.DeepEqual(w.KindDirs, w.Kinds) {
				t.Errorf("kinds are %v, in addresses %v", w.Kinds, w.KindDirs)
			}
		})
	}
}

func fieldOf(w site.Words, name string) any { return reflect.ValueOf(w).FieldByName(name).Interface() }

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

// TestSizes rounds numbers of bytes.
func TestSizes(t *testing.T) {
	for tag, want := range map[string]string{"tr": "1 kB, 2 kB, 1,2 MB, 12 MB, 1 GB, 2,5 GB", "en": "1 kB, 2 kB, 1.2 MB, 12 MB, 1 GB, 2.5 GB", "fr": "1 ko, 2 ko, 1,2 Mo, 12 Mo, 1 Go, 2,5 Go", "fa": "۱ کیلوبایت, ۲ کیلوبایت, ۱٫۲ مگابایت, ۱۲ مگابایت, ۱ گیگابایت, ۲٫۵ گیگابایت"} {
		w := words(t, tag)
		var got []string
		for _, bytes := range []int64{1, 1_550, 1_249_000, 12_400_000, 999_960_000, 2_460_000_000} {
			got = append(got, w.Size(bytes))
		}
		if got := strings.Join(got, ", "); got != want {
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
