package get_test

import (
	"encoding/json"
	"testing"

	"ayna/source/get"
)

// FuzzUnescapeJSON compares the characters of a JSON string with those that encoding/json
// finds.
func FuzzUnescapeJSON(f *testing.F) {
	for _, seed := range []string{`a`, `\n\t\/\\\"`, `\u00e7\u0131`, `\ud83d\ude00`, `\ud83d`, `\ud83d\u0041`, `\u12`, `\x`, `\`, `\ud83d\ude0`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got []byte
		for rest := []byte(text); len(rest) > 0; {
			decoded, size := get.UnescapeJSON(rest)
			got, rest = append(got, decoded...), rest[size:]
		}
		var want string
		if json.Unmarshal([]byte(`"`+text+`"`), &want) == nil && string([]rune(string(got))) != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	})
}
