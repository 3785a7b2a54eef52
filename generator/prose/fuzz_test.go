package prose

import (
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
		if plain != XML(plain) || plain != collapse(plain) {
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
		s := XML(text)
		if !utf8.ValidString(s) || XML(s) != s {
			t.Errorf("XML(%q) = %q", text, s)
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
