package site_test

import (
	"fmt"
	"iter"
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

// TestWordFiles compares each language's file with the English one, which has every word. A
// word that another file lacks is logged, and fails nothing: pages show the English word.
func TestWordFiles(t *testing.T) {
	files, err := filepath.Glob("words/*.yaml")
	if err != nil || len(files) != len(languages) {
		t.Fatalf("%d files of words, %v; want %d", len(files), err, len(languages))
	}
	english := words(t, "en")
	for name, word := range wordsOf(english) {
		if word.IsZero() {
			t.Errorf("words/en.yaml lacks %s", name)
		}
	}
	keys := keysOf(t, "en")
	for _, tag := range languages {
		has, want := keysOf(t, tag), slices.Clone(keys)
		if !slices.Contains(latin, tag) {
			want = slices.DeleteFunc(want, func(key string) bool { return strings.HasSuffix(key, "Dir") || key == "AboutName" })
		}
		for _, key := range want {
			if !slices.Contains(has, key) {
				t.Logf("words/%s.yaml lacks %s; its pages have the English word", tag, key)
			}
		}
		want = slices.DeleteFunc(want, func(key string) bool { return !slices.Contains(has, key) })
		if !slices.Equal(has, want) {
			t.Errorf("words/%s.yaml has the words %v; want them in this order: %v", tag, has, want)
		}
		w := words(t, tag)
		if w.Mark != "" {
			t.Errorf("words/%s.yaml: the words are marked as %s", tag, w.Mark)
		}
		translated := reflect.ValueOf(w)
		for name, word := range wordsOf(english) {
			if slices.Contains(has, name) {
				checkTranslation(t, tag, name, translated.FieldByName(name), word)
			}
		}
	}
}

// TestLettersOfWords: a file has no words in the letters of another language.
func TestLettersOfWords(t *testing.T) {
	english := regexp.MustCompile(`: "[A-Za-z .,]{4,}"`)
	for _, tag := range []string{"ar", "fa", "he", "ja", "ko", "zh", "zh-Hant", "ru", "uk", "el"} {
		if m := english.FindString(read(t, "words/"+tag+".yaml")); m != "" {
			t.Errorf("words/%s.yaml: %s is English", tag, m)
		}
	}
}

// keysOf returns the names of the words in a language's file, in its order.
func keysOf(t *testing.T, tag string) (keys []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^([A-Za-z]+):`).FindAllStringSubmatch(read(t, "words/"+tag+".yaml"), -1) {
		keys = append(keys, m[1])
	}
	return keys
}

// wordsOf yields the words that files have.
func wordsOf(w site.Words) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		for part, fields := range reflect.ValueOf(w).Fields() {
			if !part.Anonymous {
				continue
			}
			for f, word := range fields.Fields() {
				if !yield(f.Name, word) {
					return
				}
			}
		}
	}
}

// checkTranslation checks that a word and each of its parts has the placeholders of English.
func checkTranslation(t *testing.T, tag, name string, word, english reflect.Value) {
	t.Helper()
	if p, ok := word.Interface().(site.Plural); ok {
		checkPlural(t, tag, name, p)
		return
	}
	switch word.Kind() {
	case reflect.String:
		checkFormat(t, tag, name, word.String(), english.String())
	case reflect.Map:
		for _, kind := range english.MapKeys() {
			checkTranslation(t, tag, fmt.Sprintf("%s of %s", name, kind), word.MapIndex(kind), english.MapIndex(kind))
		}
	default:
		if word.Len() != english.Len() {
			t.Errorf("words/%s.yaml: %s has %d texts, want %d", tag, name, word.Len(), english.Len())
			return
		}
		for i := range english.Len() {
			checkTranslation(t, tag, fmt.Sprintf("%s %d", name, i+1), word.Index(i), english.Index(i))
		}
	}
}

// checkFormat fills a text as the English one is filled: each value must be there once.
func checkFormat(t *testing.T, tag, name, text, english string) {
	t.Helper()
	var values []any
	for i, verb := range regexp.MustCompile(`%.`).FindAllString(english, -1) {
		if verb == "%d" {
			values = append(values, 1001+i)
		} else {
			values = append(values, fmt.Sprintf("<%d>", i))
		}
	}
	filled := fmt.Sprintf(text, values...)
	for _, value := range values {
		if strings.Count(filled, fmt.Sprint(value)) != 1 || strings.Contains(filled, "%!") {
			t.Errorf("words/%s.yaml: %s: %q has other placeholders than %q", tag, name, text, english)
			return
		}
	}
	if len(values) == 0 && strings.Contains(text, "%") {
		t.Errorf("words/%s.yaml: %s: %q has placeholders, and %q has none", tag, name, text, english)
	}
}

// checkPlural checks that no form of the language is missing, and that each has its number,
// which those of the smallest numbers may lack.
func checkPlural(t *testing.T, tag, name string, p site.Plural) {
	t.Helper()
	needed := make(map[plural.Form]bool)
	for n := range 1000 {
		form := plural.Cardinal.MatchPlural(language.Make(tag), n, 0, 0, 0, 0)
		needed[form] = true
		if !strings.Contains(p[form], "%s") && n > 2 {
			t.Errorf("words/%s.yaml: %s: %q has no place for the number %d", tag, name, p[form], n)
		}
	}
	for form, text := range p {
		if needed[plural.Form(form)] && text == "" {
			t.Errorf("words/%s.yaml: %s lacks the plural form %d", tag, name, form)
		}
		if strings.Contains(strings.Replace(text, "%s", "", 1), "%") {
			t.Errorf("words/%s.yaml: %s: %q has another placeholder than one %%s", tag, name, text)
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
