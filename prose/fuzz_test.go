package prose

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzClean(f *testing.F) {
	for _, p := range payloads {
		f.Add(p)
	}
	f.Add(sample)
	f.Fuzz(func(t *testing.T, text string) {
		body := Clean(text, testOptions)
		checkSafe(t, string(body.HTML(asIs{})))
		checkSafe(t, string(body.HTML(player{asIs{}})))
		checkStable(t, body)
		if again, err := Unmarshal(body.Marshal()); err != nil || again != body {
			t.Errorf("marshalled: %v", err)
		}
	})
}

func FuzzPlain(f *testing.F) {
	for _, p := range payloads {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plain := Plain(text)
		if plain != StripInvalidXML(plain) || plain != collapse(plain) {
			t.Errorf("Plain(%q) = %q", text, plain)
		}
		if s := Shorten(plain, 20); utf8.RuneCountInString(s) > 20 {
			t.Errorf("Shorten(%q) = %q", plain, s)
		}
	})
}

func FuzzXML(f *testing.F) {
	f.Add("a\x00\xff\ufffe\u0085")
	f.Fuzz(func(t *testing.T, text string) {
		s := StripInvalidXML(text)
		if !utf8.ValidString(s) || StripInvalidXML(s) != s {
			t.Errorf("StripInvalidXML(%q) = %q", text, s)
		}
	})
}

func FuzzSafeURL(f *testing.F) {
	f.Add("https://akçaliman.example/a b?c=%zz#ş")
	f.Fuzz(func(t *testing.T, address string) {
		safe, ok := SafeURL(address)
		if !ok {
			return
		}
		if again, ok := SafeURL(safe); !ok || again != safe {
			t.Errorf("SafeURL(%q) = %q, then %q", address, safe, again)
		}
	})
}

// FuzzResolve: whatever a record calls its address and its pictures', what comes of
// them is an address of the web that can stand in an attribute, a list of
// addresses, Markdown or XML as it is.
func FuzzResolve(f *testing.F) {
	for _, base := range []string{"https://haber.example/a/b?c#d", "", "javascript:alert(1)", "//haber.example"} {
		for _, address := range []string{"../x y.jpg", "//e.example", "javascript:alert(1)", "java\nscript:x", `\\e.example`, "https:x", "?q=\"'<>", "#a", "http://[::1%25a]/", "http://[::1%2<a]/", "http://ş.example:80"} {
			f.Add(base, address)
		}
	}
	f.Fuzz(func(t *testing.T, base, address string) {
		got, ok := Resolve(base, address)
		if !ok {
			return
		}
		u, err := url.Parse(got)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || len(got) > maxAddress {
			t.Errorf("Resolve(%q, %q) = %q: %v", base, address, got, err)
		}
		if i := strings.IndexFunc(got, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", r) }); i >= 0 {
			t.Errorf("Resolve(%q, %q) = %q", base, address, got)
		}
		if again, ok := Resolve(base, got); !ok || again != got {
			t.Errorf("Resolve(%q, %q) = %q, then %q", base, address, got, again)
		}
	})
}
