package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// An answer is what came back for one request.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a answer) redirects() bool {
	switch a.status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// text is the body in UTF-8 without byte order mark and surrounding blanks,
// and an error if that is nothing, HTML, or in an encoding nobody asked for.
// A body whose charset is not declared stays as it is: bytes that are not
// UTF-8 are replaced where the JSON is decoded.
func (a answer) text() ([]byte, error) {
	if encoding := a.header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return nil, fmt.Errorf("%w: it has a content encoding that was not asked for", ErrNotJSON)
	}
	kind, parameters, _ := mime.ParseMediaType(a.header.Get("Content-Type"))
	body, err := toUTF8(a.body, parameters["charset"])
	if err != nil {
		return nil, err
	}
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	if len(body) == 0 {
		return nil, fmt.Errorf("%w: the body is empty", ErrNotJSON)
	}
	if kind == "text/html" || body[0] == '<' {
		return nil, fmt.Errorf("%w: it is a page of HTML", ErrNotJSON)
	}
	return body, nil
}

func toUTF8(body []byte, charset string) ([]byte, error) {
	switch strings.ToLower(charset) {
	case "", "utf-8", "utf8", "us-ascii":
		return body, nil
	}
	encoding, err := htmlindex.Get(charset)
	if err != nil {
		return nil, fmt.Errorf("%w: it declares an unknown charset", ErrNotJSON)
	}
	// A byte order mark knows better than the header which UTF-16 it is.
	converted, _, err := transform.Bytes(unicode.BOMOverride(encoding.NewDecoder()), body)
	if err != nil {
		return nil, fmt.Errorf("%w: its charset is not what it declares: %w", ErrNotJSON, err)
	}
	return converted, nil
}

// message is what the answer itself says of a failure: the field Message,
// message or error of an object, or the text. HTML and broken JSON say nothing.
func (a answer) message() string {
	body := bytes.TrimSpace(a.body)
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) == nil {
		return complaint(object)
	}
	if len(body) == 0 || bytes.IndexByte([]byte("<[{"), body[0]) >= 0 || a.header.Get("Content-Encoding") != "" {
		return ""
	}
	return string(body[:min(len(body), errorBody)])
}

// complaint is the error message that an object holds, "" if none.
func complaint(object map[string]json.RawMessage) string {
	for _, name := range []string{"Message", "error", "errors", "ExceptionMessage"} {
		raw := anyCase(object, name)
		var nested map[string]json.RawMessage
		if json.Unmarshal(raw, &nested) == nil && anyCase(nested, "message") != nil {
			raw = anyCase(nested, "message")
		}
		if text := spoken(raw); text != "" {
			return text
		}
	}
	return ""
}

// spoken is the text of a JSON value that says something.
func spoken(raw json.RawMessage) string {
	switch string(raw) {
	case "null", "false", "0", "{}", "[]":
		return ""
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw[:min(len(raw), errorBody)])
	}
	return text
}
