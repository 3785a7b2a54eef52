package archive

import (
	sqldriver "database/sql/driver"
	"fmt"
	"strings"
	"unicode/utf8"

	driver "modernc.org/sqlite"
)

// What SQLite's own functions do not do: change the case of other letters than A
// to Z, or look beyond a zero byte of a text.
func init() {
	for name, fn := range map[string]struct {
		arguments int32
		result    func(args []sqldriver.Value) sqldriver.Value
	}{
		"ayna_lower": {1, func(args []sqldriver.Value) sqldriver.Value { return lowerLetters.Replace(textOf(args[0])) }},
		"ayna_upper": {1, func(args []sqldriver.Value) sqldriver.Value { return upperLetters.Replace(textOf(args[0])) }},
		"ayna_length": {1, func(args []sqldriver.Value) sqldriver.Value {
			return int64(utf8.RuneCountInString(textOf(args[0])))
		}},
		"ayna_substring": {3, func(args []sqldriver.Value) sqldriver.Value {
			from, _ := args[1].(int64)
			most, _ := args[2].(int64)
			return substring([]rune(textOf(args[0])), from, most)
		}},
		"ayna_suffix": {2, func(args []sqldriver.Value) sqldriver.Value {
			all, end := []rune(textOf(args[0])), utf8.RuneCountInString(textOf(args[1]))
			return string(all[max(0, len(all)-end):])
		}},
	} {
		driver.MustRegisterDeterministicScalarFunction(name, fn.arguments,
			func(_ *driver.FunctionContext, args []sqldriver.Value) (sqldriver.Value, error) {
				return fn.result(args), nil
			})
	}
}

// textOf is an argument that is a text, as bytes since its end may be a zero
// byte otherwise.
func textOf(v sqldriver.Value) string {
	switch v := v.(type) {
	case []byte:
		return string(v)
	case string:
		return v
	}
	return ""
}

func substring(text []rune, from, most int64) string {
	text = text[min(from, int64(len(text))):]
	if most >= 0 {
		text = text[:min(most, int64(len(text)))]
	}
	return string(text)
}

var lowerLetters, upperLetters = letters("ABCDEFGHIJKLMNOPQRSTUVWXYZ"+capitals, "abcdefghijklmnopqrstuvwxyz"+toSmall),
	letters("abcdefghijklmnopqrstuvwxyz"+fromSmall, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"+toCapitals)

// letters replaces each letter of one text by that of the other.
func letters(from, to string) *strings.Replacer {
	var pairs []string
	after := []rune(to)
	for i, c := range []rune(from) {
		pairs = append(pairs, string(c), string(after[i]))
	}
	return strings.NewReplacer(pairs...)
}

var sqliteCalls = map[Function]string{
	Lower:     "ayna_lower(CAST(%s AS BLOB))",
	Upper:     "ayna_upper(CAST(%s AS BLOB))",
	Substring: "ayna_substring(CAST(%s AS BLOB), CAST(%s AS INTEGER), CAST(%s AS INTEGER))",
	Suffix:    "ayna_suffix(CAST(%s AS BLOB), CAST(%s AS BLOB))",
	verbatim:  "%s",
	Length:    "ayna_length(CAST(%s AS BLOB))",
	Year:      "CAST(strftime('%%Y', %s / 1000.0, 'unixepoch') AS INTEGER)",
	Month:     "CAST(strftime('%%m', %s / 1000.0, 'unixepoch') AS INTEGER)",
	Day:       "CAST(strftime('%%d', %s / 1000.0, 'unixepoch') AS INTEGER)",
	Hour:      "CAST(strftime('%%H', %s / 1000.0, 'unixepoch') AS INTEGER)",
	Minute:    "CAST(strftime('%%M', %s / 1000.0, 'unixepoch') AS INTEGER)",
	Second:    "CAST(strftime('%%S', %s / 1000.0, 'unixepoch') AS INTEGER)",
}

func (s *sqlite) call(f Function, args ...any) string { return callOf(sqliteCalls, f, args) }

// callOf writes a function as one engine has it, or both.
func callOf(own map[Function]string, f Function, args []any) string {
	format, ok := own[f]
	if !ok {
		format = commonCalls[f]
	}
	return fmt.Sprintf(format, args...)
}
