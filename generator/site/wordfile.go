package site

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"ayna/slug"
)

// wordFiles has a file for each language: the fields of [Words] by their names, in YAML. The
// English one has all of them.
//
//go:embed words/*.yaml
var wordFiles embed.FS

// WordsFor returns the words of a language, a tag of BCP 47. They are English where no file
// has that language.
func WordsFor(tag string) (Words, error) {
	w, _, err := ReadWords(tag, nil)
	return w, err
}

// ReadWords returns the words of a language, those of an owner's file before the built-in
// ones. A word that neither has is English; missing names these words if there is an
// owner's file.
func ReadWords(tag string, own []byte) (w Words, missing []string, err error) {
	return readWords(wordFiles, tag, own)
}

func readWords(files fs.FS, tag string, own []byte) (w Words, missing []string, err error) {
	if w.tag, err = ParseLanguage(tag); err != nil {
		return w, nil, err
	}
	english, err := builtIn(files, "en")
	if err != nil {
		return w, nil, err
	}
	if own != nil {
		if err := w.read(own, &english); err != nil {
			return w, nil, err
		}
	}
	if file := wordFile(files, w.tag); file != "" {
		local, err := builtIn(files, file)
		if err != nil {
			return w, nil, err
		}
		w.fallBack(&local)
	} else if own == nil {
		w.Mark = "en"
	}
	otherLetters := w.PagesDir == "" // words in addresses are English then
	if missing = w.fallBack(&english); own == nil {
		missing = nil
	}
	w.KindDirs = w.Kinds
	if otherLetters {
		w.KindDirs = english.Kinds
	}
	w.locale = localeFor(w.tag)
	w.Months, w.DateMonths, w.DateOrder, w.Calendar = w.locale.alone, w.locale.months, w.locale.order, w.locale.calendar
	if w.Calendar == persian {
		w.DateMonths = w.locale.persian
	}
	if w.Onward, w.Back = "→", "←"; Direction(tag) == "rtl" {
		w.Onward, w.Back = w.Back, w.Onward
	}
	base, _ := w.tag.Base()
	region, _ := w.tag.Region()
	w.Locale = base.String() + "_" + region.String()
	return w, missing, w.checkDirs()
}

// wordFile returns the name of the built-in file of a language, "" if it has none.
func wordFile(files fs.FS, tag language.Tag) string {
	base, _ := tag.Base()
	script, _ := tag.Script()
	name := base.String()
	if usual, _ := language.Make(name).Script(); usual != script {
		name += "-" + script.String()
	}
	if _, err := files.Open("words/" + name + ".yaml"); err != nil {
		return ""
	}
	return name
}

func builtIn(files fs.FS, name string) (w Words, err error) {
	text, err := fs.ReadFile(files, "words/"+name+".yaml")
	if err == nil {
		err = w.read(text, nil)
	}
	if err != nil {
		err = fmt.Errorf("words of %s: %w", name, err)
	}
	return w, err
}

// ownFields yields the fields of [Words] that files have: those of its parts.
func (w *Words) ownFields(yield func(name string, field reflect.Value) bool) {
	for f, part := range reflect.ValueOf(w).Elem().Fields() {
		if !f.Anonymous {
			continue
		}
		for f, field := range part.Fields() {
			if !yield(f.Name, field) {
				return
			}
		}
	}
}

// fallBack sets the words that are missing to those of another language. It returns the
// names of those that are no part of an address.
func (w *Words) fallBack(other *Words) (missing []string) {
	from := reflect.ValueOf(other).Elem()
	for name, field := range w.ownFields {
		if value := from.FieldByName(name); field.IsZero() && !value.IsZero() {
			field.Set(value)
			if name != "AboutName" && !strings.HasSuffix(name, "Dir") {
				missing = append(missing, name)
			}
		}
	}
	return missing
}

// read sets the words that a file has. Unless english is nil, a format must have the verbs of
// the English one.
func (w *Words) read(text []byte, english *Words) error {
	var values map[string]any
	if err := yaml.Unmarshal(text, &values); err != nil {
		return err
	}
	var names []string
	for name, field := range w.ownFields {
		names = append(names, name)
		value, ok := values[name]
		if !ok {
			continue
		}
		delete(values, name)
		if err := setWord(field, value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if english == nil {
			continue
		}
		if want, has := verbsOf(reflect.ValueOf(english).Elem().FieldByName(name)), verbsOf(field); !slices.Equal(want, has) {
			return fmt.Errorf("%s: it has the placeholders %q; write each of %q once", name, has, want)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		return fmt.Errorf("%s: no word has that name; nearest: %s", name, slug.Nearest(names, name, "en"))
	}
	return nil
}

// setWord sets a field of [Words] from a value of YAML.
func setWord(field reflect.Value, value any) error {
	switch v := value.(type) {
	case string:
		if field.Kind() == reflect.String && strings.TrimSpace(v) != "" {
			field.SetString(v)
			return nil
		}
	case []any:
		if field.Kind() == reflect.Slice {
			field.Set(reflect.MakeSlice(field.Type(), len(v), len(v)))
		} else if field.Kind() != reflect.Array || field.Len() != len(v) {
			break
		}
		for i := range v {
			if err := setWord(field.Index(i), v[i]); err != nil {
				return err
			}
		}
		return nil
	case map[string]any:
		if field.Type() == reflect.TypeFor[Plural]() {
			return setPlural(field.Addr().Interface().(*Plural), v)
		}
		if field.Kind() != reflect.Map || len(v) != len(Kinds) {
			break
		}
		field.Set(reflect.MakeMap(field.Type()))
		for _, kind := range Kinds {
			word := reflect.New(field.Type().Elem()).Elem()
			if err := setWord(word, v[string(kind)]); err != nil {
				return fmt.Errorf("%s: %w", kind, err)
			}
			field.SetMapIndex(reflect.ValueOf(kind), word)
		}
		return nil
	}
	return fmt.Errorf("%v has another form than the English words have, or is empty", value)
}

// categories are the CLDR's names of plural forms.
var categories = map[string]plural.Form{
	"zero": plural.Zero, "one": plural.One, "two": plural.Two, "few": plural.Few, "many": plural.Many, "other": plural.Other,
}

func setPlural(p *Plural, forms map[string]any) error {
	for name, value := range forms {
		form, known := categories[name]
		text, ok := value.(string)
		if !known || !ok || text == "" {
			return fmt.Errorf("%s: %v is no plural form; write zero, one, two, few, many and other, as far as the language has them", name, value)
		}
		p[form] = text
	}
	if p[plural.Other] == "" {
		return fmt.Errorf("the plural form other is missing")
	}
	return nil
}

var verb = regexp.MustCompile(`%(?:\[([0-9])\])?(.?)`)

// verbsOf returns the verbs of a word and of the parts of a list, sorted. A plural form may
// lack its number, as in "one picture", so plurals have none.
func verbsOf(field reflect.Value) (verbs []string) {
	switch {
	case field.Kind() == reflect.String:
		for _, m := range verb.FindAllStringSubmatch(field.String(), -1) {
			verbs = append(verbs, m[2])
		}
	case field.Kind() == reflect.Slice:
		for i := range field.Len() {
			verbs = append(verbs, verbsOf(field.Index(i))...)
		}
	}
	slices.Sort(verbs)
	return verbs
}

// checkDirs checks the words that are directories.
func (w *Words) checkDirs() error {
	taken := map[string]string{"page": "pages of lists", MediaDir: "pictures", AssetsDir: "assets"}
	for name, field := range w.ownFields {
		dir := field.String()
		if !strings.HasSuffix(name, "Dir") {
			continue
		}
		if !slug.Valid.MatchString(dir) || len(dir) > slug.Max {
			return fmt.Errorf("%s: %q is no directory of an address; write small ASCII letters, digits and hyphens", name, dir)
		}
		if other := taken[dir]; other != "" {
			return fmt.Errorf("%s: %q is the directory of %s; write another one", name, dir, other)
		}
		taken[dir] = name
	}
	return nil
}
