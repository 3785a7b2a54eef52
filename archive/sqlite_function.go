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
		"ayna_lower": {1, func(args []sqldriver.Value) sqldriver.Value { return lower(textOf(args[0])) }},
		"ayna_upper": {1, func(args []sqldriver.Value) sqldriver.Value { return upper(textOf(args[0])) }},
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

func lower(text string) string {
	return strings.Map(func(c rune) rune {
		if 'A' <= c && c <= 'Z' {
			return c - 'A' + 'a'
		}
		return changed(c, capitals, toSmall)
	}, text)
}

func upper(text string) string {
	return strings.Map(func(c rune) rune {
		if 'a' <= c && c <= 'z' {
			return c - 'a' + 'A'
		}
		return changed(c, fromSmall, toCapitals)
	}, text)
}

// changed is the letter of to at the place that c has among those of from.
func changed(c rune, from, to string) rune {
	if c < utf8.RuneSelf {
		return c
	}
	if i := strings.IndexRune(from, c); i >= 0 {
		return []rune(to)[utf8.RuneCountInString(from[:i])]
	}
	return c
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
