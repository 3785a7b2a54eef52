package record

import (
	"bytes"
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"ayna/source/get"
)

// flat is a text without its escapes: those of JSON, of HTML and of addresses.
type flat struct {
	text []byte
	from []int // where in the original text each byte begins; the last one is its length
}

// maxNested is the number of escapes within each other that are removed, as of an
// address in the query of an address in HTML in JSON.
const maxNested = 5

// flatten removes the escapes of a text.
func flatten(text []byte) flat {
	f := flat{text: text, from: make([]int, len(text)+1)}
	for i := range f.from {
		f.from[i] = i
	}
	for range maxNested {
		next := flat{make([]byte, 0, len(f.text)), make([]int, 0, len(f.from))}
		for i := 0; i < len(f.text); {
			plain := i
			for plain < len(f.text) && f.text[plain] != '\\' && f.text[plain] != '%' && f.text[plain] != '&' {
				plain++
			}
			if plain > i {
				next.text, next.from = append(next.text, f.text[i:plain]...), append(next.from, f.from[i:plain]...)
				i = plain
				continue
			}
			escaped, size := unescape(f.text[i:])
			for range escaped {
				next.from = append(next.from, f.from[i])
			}
			next.text = append(next.text, escaped...)
			i += size
		}
		next.from = append(next.from, len(text))
		if len(next.text) == len(f.text) {
			break
		}
		f = next
	}
	return f
}

// unescape returns what the first bytes of a text stand for, and their number.
func unescape(text []byte) (escaped []byte, size int) {
	switch text[0] {
	case '\\':
		escaped, size = get.UnescapeJSON(text)
		if size == len(`\n`) && escaped[0] < ' ' {
			escaped = []byte{' '}
		}
		return escaped, size
	case '%':
		if len(text) >= len("%00") {
			if b, err := strconv.ParseUint(string(text[1:3]), 16, 8); err == nil {
				return []byte{byte(b)}, 3
			}
		}
	case '&':
		const longest = 40
		end := bytes.IndexByte(text[:min(len(text), longest)], ';') + 1
		if character := html.UnescapeString(string(text[:end])); end > 0 && len(character) < end {
			return []byte(character), end
		}
	}
	return text[:1], 1
}

// forgottenURL is an address of a forgotten record. As in site.RefTo, scheme, a leading
// "www.", a trailing slash and the fragment do not matter. A query matters if the
// address has one.
type forgottenURL struct {
	hosts []string // its spellings; none: the address has no host
	own   bool     // it is that of the record's page in a mirror, at any host
	item  bool     // of a record that is an item; addresses of others may also be folders
	path  []byte   // flat, with a slash in front
	query []byte   // with the question mark; nil: any
}

// parseForgotten returns false for an address that several records share, such as a home page.
func parseForgotten(f Forgotten) (u forgottenURL, ok bool) {
	rest := f.URL
	if i := strings.Index(rest, "//"); i >= 0 && !strings.Contains(rest[:i], "/") {
		var host string
		host, rest, _ = strings.Cut(rest[i+2:], "/")
		u.hosts = hostsOf(host)
	} else {
		u.own = !strings.HasPrefix(rest, "/")
	}
	if u.own {
		rest = strings.TrimSuffix(rest, "html") // pages have other forms, too
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, query, ok := strings.Cut(rest, "?")
	switch rest = strings.Trim(rest, "/"); {
	case ok && rest == "": // "/?p=12" of WordPress is no home page
		rest = "?" + query
	case ok:
		u.query = flatten([]byte("?" + query)).text
	}
	u.item = Groups[f.Kind] != "" && f.Kind != Page && f.Kind != Writer && f.Kind != Folder
	u.path = flatten([]byte("/" + rest)).text
	return u, len(u.path) > 1
}

// hostsOf returns the spellings of a host, without a leading "www.".
func hostsOf(host string) []string {
	host = strings.TrimPrefix(strings.ToLower(string(flatten([]byte(host)).text)), "www.")
	hosts := []string{host}
	for _, spell := range []func(string) (string, error){idna.ToASCII, idna.ToUnicode} {
		if other, err := spell(host); err == nil && other != host {
			hosts = append(hosts, other)
		}
	}
	return hosts
}

// find yields where the address is in a flat text, with what belongs to it: the scheme
// and host before, and the query and fragment behind.
func (u forgottenURL) find(text []byte, yield func(start, end int)) {
	u.findAll(text, u.path, u.begin, yield)
	if u.item {
		u.findAll(text, u.path[bytes.LastIndexByte(u.path, '/')+1:], u.beginRelative, yield)
	}
}

// findAll yields where part, the end of the path, ends the address and begin finds its
// beginning.
func (u forgottenURL) findAll(text, part []byte, begin func(before []byte) (start int, ok bool), yield func(start, end int)) {
	for at := 0; ; at++ {
		i := bytes.Index(text[at:], part)
		if i < 0 {
			return
		}
		at += i
		start, begins := begin(text[:at])
		length, ends := u.end(text[at+len(part):])
		if begins && ends {
			yield(start, at+len(part)+length)
		}
	}
}

// beginRelative reports whether a relative link begins in the text before the last part of
// the path, and where. It takes the link as relative to a folder of the forgotten record,
// whichever record holds it, so the link may lack the first folders of the path.
func (u forgottenURL) beginRelative(before []byte) (start int, ok bool) {
	const longest = 2048
	start = len(before)
	value := tail(before, longest)
	if i := bytes.LastIndexAny(value, "\"'= "); i >= 0 {
		start -= len(value) - i - 1
	}
	attribute := before[:start]
	if n := len(attribute); n > 0 && (attribute[n-1] == '"' || attribute[n-1] == '\'') {
		attribute = bytes.TrimRight(attribute[:n-1], " ")
	}
	name := bytes.TrimRight(bytes.TrimSuffix(attribute, []byte("=")), " ")
	folders := before[start:]
	for _, up := range []string{"./", "../"} {
		for bytes.HasPrefix(folders, []byte(up)) {
			folders = folders[len(up):]
		}
	}
	end := bytes.LastIndexByte(u.path, '/') + 1
	return start, bytes.HasSuffix(attribute, []byte("=")) && strings.EqualFold(string(tail(name, 4)), "href") &&
		!bytes.HasPrefix(folders, []byte("/")) && bytes.HasSuffix(u.path[:end], append([]byte("/"), folders...))
}

// begin reports whether the address begins in the text before its path, and where.
func (u forgottenURL) begin(before []byte) (start int, ok bool) {
	if u.own {
		return len(before), true
	}
	for _, host := range u.hosts {
		start := len(before) - len(host)
		if start < 0 || !strings.EqualFold(string(before[start:]), host) {
			continue
		}
		const www = "www."
		if named := start - len(www); named >= 0 && strings.EqualFold(string(before[named:start]), www) {
			start = named
		}
		if !bytes.HasSuffix(before[:start], []byte("//")) {
			return start, !continuesBackward(before[:start])
		}
		start -= len("//")
		for _, scheme := range []string{"https:", "http:"} {
			if i := start - len(scheme); i >= 0 && strings.EqualFold(string(before[i:start]), scheme) {
				return i, true
			}
		}
		return start, true
	}
	start = len(bytes.TrimRight(before, "."))
	if bytes.HasSuffix(before[:start], []byte("/")) { // ../../path
		start = len(bytes.TrimRight(before[:start], "./"))
	}
	attribute := start > 1 && bytes.ContainsRune([]byte(`"'`), rune(before[start-1])) && before[start-2] == '='
	if !u.item || len(u.hosts) == 0 {
		return start, attribute
	}
	isFolder := bytes.HasSuffix(bytes.ReplaceAll(tail(before[:start], 12), []byte(" "), nil), []byte(`"Path":"`))
	return start, attribute || !isFolder && !continuesBackward(before[:start])
}

// tail returns the last bytes of a text, n at most.
func tail(text []byte, n int) []byte { return text[max(0, len(text)-n):] }

// forms of an item are below its address on a site of WordPress: what other pages embed,
// the feed of its comments, its page for phones.
var forms = []string{"embed", "feed", "amp", "trackback"}

// end reports whether the address ends with its path, and how many bytes of what
// follows belong to it. A longer address is that of another record, unless it is a form.
func (u forgottenURL) end(after []byte) (length int, ok bool) {
	const (
		delimiters  = " \t\r\n\"'<>\\"
		punctuation = ".,;:!)]*"
	)
	if u.own {
		extension := bytes.IndexFunc(after, func(r rune) bool { return !unicode.IsLetter(r) })
		return max(0, extension), true
	}
	if bytes.HasPrefix(after, []byte("/")) {
		length = 1
	}
	rest := after[length:]
	for _, form := range forms {
		below, isForm := bytes.CutPrefix(rest, []byte(form))
		if r, _ := utf8.DecodeRune(below); isForm && length > 0 && u.item && (r == '/' || !continues(r)) {
			rest = bytes.TrimPrefix(below, []byte("/"))
			length = len(after) - len(rest)
			break
		}
	}
	if u.query != nil {
		if !bytes.HasPrefix(rest, u.query) {
			return 0, false
		}
		length += len(u.query)
		rest = rest[len(u.query):]
	} else if len(rest) > 0 && (rest[0] == '?' || rest[0] == '#') {
		if end := bytes.IndexAny(rest, delimiters); end >= 0 {
			return length + end, true
		}
		return len(after), true
	}
	r, _ := utf8.DecodeRune(bytes.TrimLeft(rest, punctuation))
	return length, !continues(r)
}

// continues reports whether a rune next to a part of an address belongs to it.
func continues(r rune) bool {
	return r != utf8.RuneError && (unicode.In(r, unicode.L, unicode.M, unicode.N) || strings.ContainsRune("-_~%+@=$/", r))
}

func continuesBackward(before []byte) bool {
	r, _ := utf8.DecodeLastRune(before)
	return r != '=' && (continues(r) || r == '.' || r == ':')
}
