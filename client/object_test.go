package client

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// FuzzObject: the fields of an object are those that encoding/json reads.
func FuzzObject(f *testing.F) {
	for _, document := range []string{
		`null`, `[]`, ` { } `, `{"a":1}`, `{"a":"x","a":null}`, "\t{ \"a\" :\r\n[1, {\"]\":\"}\"}] , \"b\":{\"\\\\\":\"\\\"\"},\"c\":\"\\\\\"}\n",
		`{"":"","ü":1e3,"d\u0131":"\ud800","e":true,"f":false,"g":"<a href=\"x\">\\</a>","h":-0.0}`, "{\"\xff\":\"\xff\"}", "{\"a\":\"\xc3\\n\xbc\"}",
		`{"a":"\u0131\u003c\ud83d\ude00\ud83d\u0041\udc00\ud800\ud83d\ude00\b\f\n\r\t\/\\"}`, `{"a":"\ud83d\\ude00\ud83d"}`, `{"a"`, `"{}"`, `{"a":"\`,
	} {
		f.Add([]byte(document))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		var want map[string]any
		decoder := json.NewDecoder(bytes.NewReader(document))
		decoder.UseNumber()
		failed := !json.Valid(document) || decoder.Decode(&want) != nil
		got, err := object(document)
		if failed != (err != nil) || !reflect.DeepEqual(got, want) && !failed {
			t.Errorf("%q: %#v, %v, want %#v", document, got, err, want)
		}
	})
}
