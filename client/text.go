package client

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decodeText decodes a text of valid JSON (RFC 8259, section 7) as encoding/json
// does: what is no UTF-8, and half of a pair of surrogates, becomes U+FFFD.
func decodeText(data []byte) string {
	rest := data[1 : len(data)-1]
	if bytes.IndexByte(rest, '\\') < 0 && utf8.Valid(rest) {
		return string(rest)
	}
	var b strings.Builder
	b.Grow(len(rest))
	for len(rest) > 0 {
		end := bytes.IndexByte(rest, '\\')
		if end < 0 {
			end = len(rest)
		}
		writeValid(&b, rest[:end])
		if rest = rest[end:]; len(rest) > 0 {
			rest = rest[writeEscaped(&b, rest):]
		}
	}
	return b.String()
}

func writeValid(b *strings.Builder, text []byte) {
	if utf8.Valid(text) {
		b.Write(text)
		return
	}
	for _, r := range string(text) {
		b.WriteRune(r)
	}
}

// writeEscaped writes the character with whose escape sequence rest begins, and
// returns how long that is.
func writeEscaped(b *strings.Builder, rest []byte) int {
	switch c := rest[1]; c {
	case 'b':
		b.WriteByte('\b')
	case 'f':
		b.WriteByte('\f')
	case 'n':
		b.WriteByte('\n')
	case 'r':
		b.WriteByte('\r')
	case 't':
		b.WriteByte('\t')
	case 'u':
		r := unit(rest)
		if utf16.IsSurrogate(r) {
			if r = utf16.DecodeRune(r, unit(rest[6:])); r != utf8.RuneError {
				b.WriteRune(r)
				return 12
			}
		}
		b.WriteRune(r)
		return 6
	default:
		b.WriteByte(c)
	}
	return 2
}

// unit returns the UTF-16 unit with whose escape sequence rest begins, else -1.
func unit(rest []byte) rune {
	if len(rest) < 6 || rest[0] != '\\' || rest[1] != 'u' {
		return -1
	}
	n, _ := strconv.ParseUint(string(rest[2:6]), 16, 16) // of valid JSON never fails
	return rune(n)
}
