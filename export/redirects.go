package export

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Server is a program or host that answers at the source's domain in place of the source.
type Server string

const (
	Nginx   Server = "nginx"
	Caddy   Server = "caddy"
	Netlify Server = "netlify"
)

// Servers are all of them.
var Servers = []Server{Nginx, Caddy, Netlify}

// RedirectCount is what a file of redirects has. Several spellings of an address count as one.
type RedirectCount struct {
	Written int
	LeftOut map[string]int // by reason
}

// maxAddress bounds an address in bytes: nginx reads no word that is longer than 4,096.
const maxAddress = 1800

// redirects collects the lines of a file.
type redirects struct {
	server Server
	host   string            // of the source, without www.
	paths  map[string]string // targets, by what the server compares
	query  map[string]string // likewise of addresses with a query
	folded map[string]string // likewise of both, without capital letters where the server ignores them
	RedirectCount
}

// Redirects writes the configuration by which a server at the host of the source answers with
// the addresses of the mirror. Of several moves from one address the first is written.
func Redirects(w io.Writer, server Server, host string, moves []Move) (RedirectCount, error) {
	r := redirects{
		server: server, host: host, paths: make(map[string]string), query: make(map[string]string), folded: make(map[string]string),
		RedirectCount: RedirectCount{LeftOut: make(map[string]int)},
	}
	for _, move := range moves {
		if reason := r.add(move); reason != "" {
			r.LeftOut[reason]++
		}
	}
	to := bufio.NewWriter(w)
	switch server {
	case Nginx:
		r.nginx(to)
	case Caddy:
		r.caddy(to)
	default:
		r.netlify(to)
	}
	if err := to.Flush(); err != nil {
		return r.RedirectCount, fmt.Errorf("write redirects: %w", err)
	}
	return r.RedirectCount, nil
}

// add adds a move. It returns why it is left out, or "".
func (r *redirects) add(move Move) (reason string) {
	u, err := url.Parse(move.From)
	target, _ := url.Parse(move.To)
	switch {
	case err != nil || !strings.HasPrefix(u.Path, "/") && u.Host == "":
		return "not an address"
	case u.Host != "" && bareHost(u) != r.host:
		return "of another host"
	case len(move.From) > maxAddress:
		return "too long"
	case !utf8.ValidString(u.Path) || strings.ContainsFunc(u.Path+u.RawQuery, unicode.IsControl):
		return "with control characters, or not in UTF-8"
	case strings.Trim(u.Path, "/") == "" && u.RawQuery == "":
		return "a home page"
	case target != nil && bareHost(target) == r.host && (u.Host == "" || u.Port() == target.Port()) && target.Path == u.Path && u.RawQuery == "":
		return "the same in the mirror"
	}
	keys, into := r.keys(u), r.paths
	if u.RawQuery != "" {
		into = r.query
	}
	if keys == nil {
		return "with signs that " + string(r.server) + " has another use for"
	}
	for i, key := range keys {
		folded := key
		if r.server == Nginx {
			folded = lowerASCII(key)
		}
		switch other := r.folded[folded]; {
		case other == "":
			r.folded[folded], into[key] = move.To, move.To
		case i == 0 && other == move.To:
			return "" // another spelling
		case i == 0:
			return "of another record, too"
		}
	}
	r.Written++
	return ""
}

func bareHost(u *url.URL) string { return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.") }

// lowerASCII returns what nginx compares.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}

// keys returns an address as the server compares it, with and without a slash at its end; nil
// if the server cannot be given that.
func (r *redirects) keys(u *url.URL) []string {
	name := cmpPath(u.Path)
	if r.server == Netlify { // it compares without that slash, and escaped
		name = (&url.URL{Path: name}).EscapedPath()
		if u.RawQuery != "" || strings.Contains(name, "*") || strings.Contains(name, "/:") {
			return nil
		}
		return []string{name}
	}
	if r.server == Caddy && (strings.ContainsAny(name+u.RawQuery, "{}") || strings.Contains(name+u.RawQuery, "`") && strings.ContainsAny(name+u.RawQuery, "\"\\")) {
		return nil
	}
	if u.RawQuery != "" {
		return []string{name + "?" + escaped(u.RawQuery, "\"'<>")}
	}
	if other := strings.TrimSuffix(name, "/"); other != name {
		return []string{name, other}
	}
	if path.Ext(name) == "" {
		return []string{name, name + "/"}
	}
	return []string{name}
}

// cmpPath returns a path as browsers send it and servers read it, without dots and double slashes.
func cmpPath(name string) string {
	clean := path.Clean("/" + name)
	if strings.HasSuffix(name, "/") && clean != "/" {
		clean += "/"
	}
	return clean
}

// targetOf returns an address without signs that a server has another use for.
func targetOf(address string) string { return escaped(address, "\"'\\`$;{}<>*") }

// escaped writes signs, blanks and what is not ASCII with percent signs. Browsers do so with
// the blanks, quotes and angles of a query, which servers compare as it comes.
func escaped(text, signs string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if c <= ' ' || c > '~' || strings.IndexByte(signs, c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func sorted(targets map[string]string) []string { return slices.Sorted(maps.Keys(targets)) }

// nginx writes two maps. The words of a map are no patterns, as they begin with a slash, and
// hold no variables; targets would.
func (r *redirects) nginx(w *bufio.Writer) {
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	fmt.Fprintf(w, "# Addresses of %s in its mirror: put this file into /etc/nginx/conf.d/, and \"if ($ayna_moved) { return 301 $ayna_moved; }\" into the server.\n", r.host)
	w.WriteString("map_hash_bucket_size 4096;\nmap_hash_max_size 65536;\n")
	write := func(source, name, other string, targets map[string]string) {
		fmt.Fprintf(w, "map %s %s {\n\tdefault %s;\n", source, name, other)
		for _, key := range sorted(targets) {
			fmt.Fprintf(w, "\t\"%s\" \"%s\";\n", quoted.Replace(key), targetOf(targets[key]))
		}
		w.WriteString("}\n")
	}
	write("$uri", "$ayna_moved_path", `""`, r.paths)
	write(`"$uri?$args"`, "$ayna_moved", "$ayna_moved_path", r.query)
}

// caddy writes two maps and the answer, for the inside of a site.
func (r *redirects) caddy(w *bufio.Writer) {
	fmt.Fprintf(w, "# Addresses of %s in its mirror: import this file in the site of that name.\n", r.host)
	write := func(source, name, other string, targets map[string]string) {
		fmt.Fprintf(w, "map %s {%s} {\n", source, name)
		for _, key := range sorted(targets) {
			quote := "`"
			if strings.Contains(key, quote) {
				quote = `"`
			}
			fmt.Fprintf(w, "\t%s%s%s \"%s\"\n", quote, key, quote, targetOf(targets[key]))
		}
		fmt.Fprintf(w, "\tdefault %s\n}\n", other)
	}
	write("{path}", "ayna_moved_path", `""`, r.paths)
	write("{path}?{query}", "ayna_moved", "{ayna_moved_path}", r.query)
	w.WriteString("@ayna_moved expression `{ayna_moved} != \"\"`\nredir @ayna_moved {ayna_moved} 301\n")
}

func (r *redirects) netlify(w *bufio.Writer) {
	fmt.Fprintf(w, "# Addresses of %s in its mirror, for a site of that name.\n", r.host)
	for _, key := range sorted(r.paths) {
		fmt.Fprintf(w, "%s %s 301\n", key, targetOf(r.paths[key]))
	}
}
