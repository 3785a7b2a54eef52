package generator_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ayna/generator/site"
)

// TestTemplatesHoldNoWords: what templates show beside their fields are signs and names of
// formats, so that every word is in the files of words.
func TestTemplatesHoldNoWords(t *testing.T) {
	files, err := filepath.Glob("../templates/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	files = append(files, "page/plain.html", "../export/epub/book.html", "../server/building.html")
	action := regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	tag := regexp.MustCompile(`(?s)<[^>]*>`)
	shown := regexp.MustCompile(`\b(?:alt|title|aria-label|placeholder|summary)="[^"]*\pL[^"]*"`)
	word := regexp.MustCompile(`\pL{2,}`)
	names := map[string]bool{"OPML": true}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		markup := action.ReplaceAllString(string(text), "")
		for _, m := range shown.FindAllString(markup, -1) {
			t.Errorf("%s: %s", name, m)
		}
		if strings.HasSuffix(name, "book.html") { // it also has metadata, which nobody is shown
			if _, after, ok := strings.Cut(markup, "<metadata"); ok {
				before, _, _ := strings.Cut(markup, "<metadata")
				_, after, _ = strings.Cut(after, "</metadata>")
				markup = before + after
			}
		}
		for _, w := range word.FindAllString(tag.ReplaceAllString(markup, " "), -1) {
			if !names[w] {
				t.Errorf("%s holds the word %q", name, w)
			}
		}
	}
}

// TestPagesHoldNoWords: no file of the packages that show things repeats a word that the files
// of words have.
func TestPagesHoldNoWords(t *testing.T) {
	words := make(map[string]bool)
	for _, language := range []string{"tr", "en"} {
		w, err := site.WordsFor(language)
		if err != nil {
			t.Fatal(err)
		}
		collect(reflect.ValueOf(w), words)
	}
	if !words["Son haberler"] || !words["Photo galleries"] {
		t.Fatal("the words are not all there")
	}
	for _, dir := range []string{"page", "feed", "../export/epub", "site", "story"} {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatal(dir, files, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					if text, err := strconv.Unquote(literal.Value); err == nil && words[text] {
						t.Errorf("%s holds the word %q", name, text)
					}
				}
				return true
			})
		}
	}
}

// collect gathers the words that begin with a capital letter or have a blank: others are
// directories, and keys of formats.
func collect(v reflect.Value, words map[string]bool) {
	switch v.Kind() {
	case reflect.String:
		if s := v.String(); len(s) > 3 && (strings.Contains(s, " ") || strings.ToLower(s[:1]) != s[:1]) {
			words[s] = true
		}
	case reflect.Struct:
		for f, field := range v.Fields() {
			if f.IsExported() || f.Anonymous {
				collect(field, words)
			}
		}
	case reflect.Map:
		for _, value := range v.Seq2() {
			collect(value, words)
		}
	case reflect.Array, reflect.Slice:
		for _, value := range v.Seq2() {
			collect(value, words)
		}
	}
}

// TestEachWordIsInEnglish: a word that no file has would be shown as nothing. Two fields come with
// the language, and are empty for English.
func TestEachWordIsInEnglish(t *testing.T) {
	w, err := site.WordsFor("en")
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[site.Words]()) {
		if field.IsExported() && !field.Anonymous && !slices.Contains([]string{"Mark", "Calendar"}, field.Name) && reflect.ValueOf(w).FieldByIndex(field.Index).IsZero() {
			t.Errorf("generator/site/words/en.yaml lacks %s", field.Name)
		}
	}
}
