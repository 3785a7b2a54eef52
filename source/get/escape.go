package get

import (
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// shortEscapes are the characters that a byte behind a backslash stands for.
var shortEscapes = [256]byte{'/': '/', '\\': '\\', '"': '"', 'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}

// UnescapeJSON returns what the escape at the beginning of a text of JSON stands for, and
// its size in bytes. What is no escape stands for its first byte. Do not change decoded.
func UnescapeJSON(text []byte) (decoded []byte, size int) {
	if len(text) < 2 || text[0] != '\\' {
		return text[:1], 1
	}
	if i := int(text[1]); shortEscapes[i] != 0 {
		return shortEscapes[i : i+1 : i+1], 2
	}
	r, ok := unicodeEscape(text)
	if !ok {
		return text[:1], 1
	}
	if utf16.IsSurrogate(r) {
		second, _ := unicodeEscape(text[6:])
		if pair := utf16.DecodeRune(r, second); pair != unicode.ReplacementChar {
			return utf8.AppendRune(nil, pair), 12
		}
	}
	return utf8.AppendRune(nil, r), 6
}

// unicodeEscape reads the \u0000 at the beginning of a text.
func unicodeEscape(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 32)
	return rune(n), err == nil
}
