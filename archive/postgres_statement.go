package archive

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// statement numbers the parameters: ? and ?1 are $1.
func (p *postgres) statement(query string) string {
	var b strings.Builder
	n := 0
	for i, part := range strings.Split(query, "?") {
		if i > 0 {
			b.WriteByte('$')
			if part == "" || part[0] < '0' || part[0] > '9' {
				n++
				b.WriteString(strconv.Itoa(n))
			}
		}
		b.WriteString(part)
	}
	return b.String()
}

// values makes parameters such as PostgreSQL takes: a document is stored as
// bytes, since a text must be UTF-8 and hold no zero byte.
func (p *postgres) values(args []any) []any {
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			args[i] = storable(arg)
		case Kind:
			args[i] = string(arg)
		case document:
			args[i] = []byte(arg)
		case bool:
			args[i] = 0
			if arg {
				args[i] = 1
			}
		}
	}
	return args
}

// storable writes a text with U+FFFD for what PostgreSQL's texts cannot hold.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// equals compares digests, too: the index is by those.
func (p *postgres) equals(column, text string) (string, []any) {
	return "(md5(" + column + ") = md5(CAST(? AS text)) AND " + column + " = ?)", []any{text, text}
}

func (p *postgres) ends(column, text string) (string, []any) {
	text = storable(text)
	return "right(" + column + ", ?) = ?", []any{utf8.RuneCountInString(text), text}
}

func (p *postgres) receivedTitle() string {
	return `(coalesce((SELECT readable(list) ->> 'Title' FROM raw WHERE raw.row = record.row), title) COLLATE "C")`
}

func (p *postgres) holds(words []string, beginning bool) (string, any) {
	terms := make([]string, len(words))
	for i, word := range words {
		terms[i] = lexeme(word)
	}
	if beginning {
		terms[len(terms)-1] += ":*"
	}
	return "words @@ CAST(? AS tsquery)", strings.Join(terms, " & ")
}

// index enters the words alone: PostgreSQL's own idea of them would take
// addresses and numbers apart in another way.
func (p *postgres) index(r *Record) (string, []any) {
	all := make(map[string]bool)
	for _, text := range []string{r.Title, r.Spot, r.Text} {
		for _, word := range words(text) {
			all[lexeme(word)] = true
		}
	}
	const most = 1 << 20 // bytes that a tsvector may have
	var list strings.Builder
	for _, word := range slices.Sorted(maps.Keys(all)) {
		if list.Len()+len(word) < most {
			list.WriteString(word + " ")
		}
	}
	return `INSERT INTO search (rowid, words) VALUES (?, CAST(? AS tsvector))`, []any{r.Row, list.String()}
}

func (p *postgres) emptyIndex() string { return `TRUNCATE search` }

// lexeme quotes a word, which holds letters and digits only, and cuts what is
// longer than a lexeme may be.
func lexeme(word string) string {
	const most = 500 // runes
	n := 0
	for i := range word {
		if n == most {
			word = word[:i]
			break
		}
		n++
	}
	return "'" + word + "'"
}

var postgresCalls = map[Function]string{
	Lower:     "translate(lower(%s), '" + capitals + "', '" + toSmall + "')",
	Upper:     "translate(upper(%s), '" + fromSmall + "', '" + toCapitals + "')",
	Substring: "substr(%s, CAST(%s AS integer) + 1, coalesce(nullif(CAST(%s AS integer), -1), 1000000))",
	Suffix:    "right(%s, char_length(%s))",
	verbatim:  `(%s COLLATE "C")`,
	Length:    "char_length(%s)",
	Year:      "extract(year FROM to_timestamp(floor(%s / 1000.0)) AT TIME ZONE 'UTC')",
	Month:     "extract(month FROM to_timestamp(floor(%s / 1000.0)) AT TIME ZONE 'UTC')",
	Day:       "extract(day FROM to_timestamp(floor(%s / 1000.0)) AT TIME ZONE 'UTC')",
	Hour:      "extract(hour FROM to_timestamp(floor(%s / 1000.0)) AT TIME ZONE 'UTC')",
	Minute:    "extract(minute FROM to_timestamp(floor(%s / 1000.0)) AT TIME ZONE 'UTC')",
	Second:    "floor(extract(second FROM to_timestamp(floor(%s / 1000.0)) AT TIME ZONE 'UTC'))",
}

func (p *postgres) call(f Function, args ...any) string { return callOf(postgresCalls, f, args) }
