package get

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// A response is the answer to one request.
type response struct {
	status int
	header http.Header
	body   []byte
}

// text returns the body as decoded does, and an error if that is HTML.
func (r response) text() ([]byte, error) {
	body, err := r.decoded(r.charset())
	if err == nil && (r.isWebPage() || body[0] == '<') {
		return nil, errPage
	}
	return body, err
}

// errPage is the error of a page of HTML.
var errPage = fmt.Errorf("%w: it is a page of HTML", ErrNotJSON)

// ErrEmpty is the error of an answer of status 200 without a body.
var ErrEmpty = fmt.Errorf("%w: the body is empty", ErrNotJSON)

// decoded returns the body in UTF-8, without byte order mark and surrounding blanks. It
// returns an error if that is empty, or in an encoding that was not requested. Without a
// charset, bytes that are not UTF-8 are replaced where the JSON is decoded.
func (r response) decoded(charset string) ([]byte, error) {
	if coding := r.header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, fmt.Errorf("%w: it has a content encoding that was not requested", ErrNotJSON)
	}
	body, err := toUTF8(r.body, charset)
	if err != nil {
		return nil, err
	}
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	if len(body) == 0 {
		return nil, ErrEmpty
	}
	return body, nil
}

// charset returns the declared charset, "" if the answer declares no charset.
func (r response) charset() string {
	_, parameters, _ := mime.ParseMediaType(r.header.Get("Content-Type"))
	return parameters["charset"]
}

// isUTF16 reports whether the body begins with the byte order mark of UTF-16.
func (r response) isUTF16() bool {
	return bytes.HasPrefix(r.body, []byte("\xff\xfe")) || bytes.HasPrefix(r.body, []byte("\xfe\xff"))
}

// isWebPage reports whether an answer is HTML.
func (r response) isWebPage() bool {
	kind, _, _ := mime.ParseMediaType(r.header.Get("Content-Type"))
	return kind == "text/html"
}

func toUTF8(body []byte, charset string) ([]byte, error) {
	switch strings.ToLower(charset) {
	case "", "utf-8", "utf8", "us-ascii":
		return body, nil
	}
	declared := byName(charset)
	if declared == nil {
		return nil, fmt.Errorf("%w: it declares an unknown charset", ErrNotJSON)
	}
	// A byte order mark overrides the header.
	converted, _, err := transform.Bytes(unicode.BOMOverride(declared.NewDecoder()), body)
	if err != nil {
		return nil, fmt.Errorf("%w: its text is not in the declared charset: %w", ErrNotJSON, err)
	}
	return converted, nil
}

// byName returns an encoding of one byte a letter, or UTF-16, else nil.
func byName(charset string) encoding.Encoding {
	plain := strings.NewReplacer("-", "", "_", "", " ", "")
	charset = plain.Replace(strings.ToLower(charset))
	if charset == "utf16" {
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	for _, known := range charmap.All {
		if name, ok := known.(fmt.Stringer); ok && plain.Replace(strings.ToLower(name.String())) == charset {
			return known
		}
	}
	return nil
}

// message returns the answer's own error message: that of an object, see [ErrorMessage],
// or else the text, unless it begins like HTML, an object or an array.
func (r response) message() string {
	body := bytes.TrimSpace(r.body)
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) == nil {
		return ErrorMessage(object)
	}
	if len(body) == 0 || bytes.IndexByte([]byte("<[{"), body[0]) >= 0 || r.header.Get("Content-Encoding") != "" {
		return ""
	}
	return string(body[:min(len(body), maxErrorBody)])
}

// code returns the name of the error in an answer: the field code of WordPress, or the type of
// the first of Ghost's errors. Other words may stand around the object, see [Expectation].
func (r response) code() string {
	for _, expected := range []Expectation{ObjectWith("code"), ObjectWith("errors")} {
		if from, to, found := expected.find(r.body, r.header); found {
			return codeOf(r.body[from:to])
		}
	}
	return ""
}

func codeOf(raw []byte) string {
	var object struct {
		Code   string `json:"code"`
		Errors []struct {
			Type string `json:"type"`
		} `json:"errors"`
	}
	if json.Unmarshal(raw, &object) == nil && object.Code == "" && len(object.Errors) > 0 {
		return object.Errors[0].Type
	}
	return object.Code
}

// ErrorMessage returns the error message in an object, or "": the first of its fields
// Message, error, errors and ExceptionMessage that has one.
func ErrorMessage(object map[string]json.RawMessage) string {
	for _, name := range []string{"Message", "error", "errors", "ExceptionMessage"} {
		raw := Field(object, name)
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil && len(list) > 0 { // the first of several
			raw = list[0]
		}
		var nested map[string]json.RawMessage
		if json.Unmarshal(raw, &nested) == nil && Field(nested, "message") != nil {
			raw = Field(nested, "message")
		}
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw[:min(len(raw), maxErrorBody)])
		}
		switch text {
		case "", "false", "0", "{}", "[]": // not an error
		default:
			return text
		}
	}
	return ""
}

// Field returns the value of the field with exactly this name, or else of the
// alphabetically first one that equals the name ignoring case.
func Field[V any](object map[string]V, name string) V {
	if v, ok := object[name]; ok {
		return v
	}
	var first string
	var value V
	for key, v := range object {
		if strings.EqualFold(key, name) && (first == "" || key < first) {
			first, value = key, v
		}
	}
	return value
}
