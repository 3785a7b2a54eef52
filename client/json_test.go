package client_test

import (
	"encoding/json"
	"maps"
	"testing"

	"ayna/client"
)

// FuzzJSON compares the parts of valid JSON with those that encoding/json finds.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `null`, ` { "a" : 1 , "b":[{"c":"]}\""},[]] } `, `{"a":1,"a":{"x":null}}`, `["a,b", -1.5e3,true , {}]`,
		`{"\u0061":"\\","b\"":"\\\""}`, `[[[[]]]]`, `"{"`, `{"a":`, `{"a" 1}`, `{"a":"\ud83d\ude00\n"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, elements := make(map[string]string), []string(nil)
		for key, value := range client.JSONMembers(data) {
			var name string
			if json.Unmarshal(key, &name) == nil {
				got[name] = string(value)
			}
		}
		for value := range client.JSONElements(data) {
			elements = append(elements, string(value))
		}
		if !json.Valid(data) { // it only has to end
			return
		}
		want, list := make(map[string]json.RawMessage), []json.RawMessage(nil)
		if json.Unmarshal(data, &want) != nil {
			clear(want)
		}
		if json.Unmarshal(data, &list) != nil {
			list = nil
		}
		if !maps.EqualFunc(got, want, func(a string, b json.RawMessage) bool { return a == string(b) }) {
			t.Errorf("members of %q: %q, want %q", data, got, want)
		}
		if len(elements) != len(list) {
			t.Fatalf("elements of %q: %q, want %q", data, elements, list)
		}
		for i := range list {
			if elements[i] != string(list[i]) {
				t.Errorf("element %d of %q: %q, want %q", i, data, elements[i], list[i])
			}
		}
	})
}

// FuzzUnescapeJSON compares the characters of a JSON string with those that encoding/json
// finds.
func FuzzUnescapeJSON(f *testing.F) {
	for _, seed := range []string{`a`, `\n\t\/\\\"`, `\u00e7\u0131`, `\ud83d\ude00`, `\ud83d`, `\ud83d\u0041`, `\u12`, `\x`, `\`, `\ud83d\ude0`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got []byte
		for rest := []byte(text); len(rest) > 0; {
			decoded, size := client.UnescapeJSON(rest)
			got, rest = append(got, decoded...), rest[size:]
		}
		var want string
		if json.Unmarshal([]byte(`"`+text+`"`), &want) == nil && string([]rune(string(got))) != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	})
}
