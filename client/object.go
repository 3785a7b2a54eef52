package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// object decodes the fields of a JSON object that have one of the names, ignoring case,
// or all fields if none is named. It returns nil for null. Numbers keep their text. Only
// the values of these fields are parsed, since most of a record is one long text.
func object(data []byte, names ...string) (map[string]any, error) {
	data = bytes.TrimLeft(data, jsonBlanks)
	if !json.Valid(data) || data[0] != '{' {
		var members map[string]json.RawMessage
		err := json.Unmarshal(data, &members)
		if err == nil { // null
			return nil, nil
		}
		if errors.As(err, new(*json.UnmarshalTypeError)) {
			err = errors.New("it is no JSON object")
		}
		return nil, fmt.Errorf("client: reading a record: %w", err)
	}
	values := make(map[string]any)
	for key, value := range JSONMembers(data) {
		name, err := decodeText(key)
		if err != nil {
			return nil, fmt.Errorf("client: reading a record: %w", err)
		}
		isNamed := func(s string) bool { return strings.EqualFold(s, name) }
		if len(names) > 0 && !slices.ContainsFunc(names, isNamed) {
			continue
		}
		if values[name], err = decodeValue(value); err != nil {
			return nil, fmt.Errorf("client: reading a record: %w", err)
		}
	}
	return values, nil
}

// decodeValue decodes a value. Texts skip the decoder, which would copy them once more.
func decodeValue(data []byte) (value any, err error) {
	if data[0] == '"' {
		return decodeText(data)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}

// decodeText decodes a JSON string. Most have no escapes.
func decodeText(data []byte) (text string, err error) {
	if inside := data[1 : len(data)-1]; bytes.IndexByte(inside, '\\') < 0 && utf8.Valid(inside) {
		return string(inside), nil
	}
	err = json.Unmarshal(data, &text)
	return text, err
}
