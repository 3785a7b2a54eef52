package client

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// keyed adds the API key to the requests that go to the configured origin, and
// to no others. It alone holds the key.
type keyed struct {
	next   http.RoundTripper
	origin string
	key    string
	// encoded are forms of the key in which its letters are not to be seen.
	encoded []string
}

func (k *keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	if k.key != "" && origin(r.URL) == k.origin {
		r = r.Clone(r.Context())
		r.Header.Set("apikey", k.key)
	}
	return k.next.RoundTrip(r)
}

// origin is scheme, host and port (RFC 6454, section 4).
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// shortKey is the length below which the key's text may well be a word of the
// news: such a key is hidden in messages, but no record is refused for it.
const shortKey = 16

// echoed reports whether a record repeats the key, plain or encoded.
func (k *keyed) echoed(record []byte) bool {
	if len(k.key) < shortKey {
		return false
	}
	if bytes.Contains(record, []byte(k.key)) {
		return true
	}
	for _, form := range k.encoded {
		if bytes.Contains(record, []byte(form)) {
			return true
		}
	}
	at, _ := findEscaped(record, k.key)
	return at >= 0
}

// hide replaces the key, plain or encoded.
func (k *keyed) hide(text string) string {
	if k.key == "" {
		return text
	}
	const mask = "****"
	text = strings.ReplaceAll(text, k.key, mask)
	for _, form := range k.encoded {
		text = strings.ReplaceAll(text, form, mask)
	}
	for {
		at, length := findEscaped([]byte(text), k.key)
		if at < 0 {
			return text
		}
		text = text[:at] + mask + text[at+length:]
	}
}

// encodings returns the key in base64. What surrounds it there shifts it by up
// to two bytes and shares its first and last digits, which are left out.
func encodings(key string) []string {
	if len(key) < 6 { // its digits may be part of any word
		return nil
	}
	var forms []string
	for shift, first := range []int{0, 2, 3} {
		for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			digits := alphabet.EncodeToString([]byte(strings.Repeat("\x00", shift) + key))
			form := digits[first : (shift+len(key))*8/6]
			if !slices.Contains(forms, form) {
				forms = append(forms, form)
			}
		}
	}
	return forms
}

// findEscaped returns where the key first stands in a text of which any letter
// may be escaped as JSON or an address escapes it, and in how many bytes; -1 if
// nowhere.
func findEscaped(text []byte, key string) (at, length int) {
	if bytes.IndexByte(text, '\\') < 0 && bytes.IndexByte(text, '%') < 0 {
		return -1, 0
	}
	for at, first := range text {
		if first != key[0] && first != '\\' && first != '%' {
			continue
		}
		n, i := 0, 0
		for ; i < len(key); i++ {
			letter, size := unescape(text[at+n:])
			if letter != rune(key[i]) {
				break
			}
			n += size
		}
		if i == len(key) {
			return at, n
		}
	}
	return -1, 0
}

// unescape returns the first letter of a text, and in how many bytes it stands;
// -1 if the text is empty.
func unescape(text []byte) (letter rune, size int) {
	hex := func(from, to int) bool {
		if len(text) < to {
			return false
		}
		n, err := strconv.ParseUint(string(text[from:to]), 16, 32)
		letter = rune(n)
		return err == nil
	}
	switch {
	case len(text) == 0:
		return -1, 0
	case text[0] == '%' && hex(1, 3):
		return letter, 3
	case text[0] == '\\' && len(text) > 1 && text[1] == 'u' && hex(2, 6):
		return letter, 6
	case text[0] == '\\' && len(text) > 1:
		return rune(text[1]), 2
	}
	return rune(text[0]), 1
}

const maxMessage = 200 // runes

// clean makes text of the service fit for a line of a log. The key is hidden
// after the characters between its letters are gone, and before the cut that
// could leave a part of it.
func (k *keyed) clean(text string) string {
	text = text[:min(len(text), errorBody)]
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsGraphic(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	runes := []rune(k.hide(strings.Join(strings.Fields(text), " ")))
	return string(runes[:min(len(runes), maxMessage)])
}
