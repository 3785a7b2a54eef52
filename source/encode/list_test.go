package encode_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"ayna/source/encode"
)

func TestList(t *testing.T) {
	for data, want := range map[string]string{
		`[]`: "[]", " [ ] ": "[]", `[1]`: "[1]", `[1, "a,]\"\\" ,{"b":[2,3]},[],null ]`: `[1 "a,]\"\\" {"b":[2,3]} [] null]`,
		`{}`: "no array", `"["`: "no array", `null`: "no array", ``: "no array", `[[[1,2],3],"\\"]`: `[[[1,2],3] "\\"]`,
		"[" + strings.Repeat("0,", encode.MaxElements) + "0]": "an array of more than 20,000 elements",
	} {
		list, err := encode.List([]byte(data))
		got := fmt.Sprintf("%s", list)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%.50s: %s, want %s", data, got, want)
		}
	}
}

// The elements are those that encoding/json finds.
func FuzzList(f *testing.F) {
	f.Add([]byte(`[1,"\"",{"a":["]"]}, [ ] ]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !json.Valid(data) {
			return
		}
		var want []json.RawMessage
		isList := json.Unmarshal(data, &want) == nil && want != nil
		got, err := encode.List(data)
		if len(want) > encode.MaxElements {
			return
		}
		if (err == nil) != isList || isList && fmt.Sprintf("%s", got) != fmt.Sprintf("%s", want) {
			t.Errorf("%s: %s, %v, want %s", data, got, err, want)
		}
	})
}

func TestFields(t *testing.T) {
	for data, want := range map[string]string{
		`{"a":1, "b\":" : {"c":[2]} ,"d":3}`: `a=1 b":={"c":[2]} `, `[]`: "", `5`: "", `{}`: "", ` { } `: "", `{"a":"x"}`: `a="x" `,
	} {
		got := ""
		for name, value := range encode.Fields([]byte(data)) {
			if got += fmt.Sprintf("%s=%s ", name, value); value[0] == '{' {
				break
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", data, got, want)
		}
	}
}

// The fields are those that encoding/json finds; of several with one name the last one holds.
func FuzzFields(f *testing.F) {
	f.Add([]byte(`{"a":{"b":1},"c\"":"}","":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var want map[string]json.RawMessage
		if !json.Valid(data) || json.Unmarshal(data, &want) != nil {
			return
		}
		got := make(map[string]json.RawMessage)
		for name, value := range encode.Fields(data) {
			got[name] = value
		}
		if fmt.Sprintf("%s", got) != fmt.Sprintf("%s", want) && len(want) > 0 {
			t.Errorf("%s: %s, want %s", data, got, want)
		}
	})
}
