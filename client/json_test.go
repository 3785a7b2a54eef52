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
