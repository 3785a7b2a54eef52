package attachment

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// HeadSize is the number of bytes at the beginning of a file that [Sniff] needs.
const HeadSize = 4 << 10

// Errors of [Sniff].
var (
	ErrEmpty   = errors.New("the file is empty")
	ErrWebPage = errors.New("the answer is a page of HTML")
	ErrFormat  = errors.New("the file has no format that is mirrored")
)

// Sniff returns the format of a file by its first bytes. Of the formats that begin alike, as
// zip and docx do, it is the one that the address promises.
func Sniff(head []byte, address string) (Format, error) {
	if len(head) == 0 {
		return Format{}, ErrEmpty
	}
	signature := signatureOf(head)
	if signature == "html" {
		return Format{}, ErrWebPage
	}
	if f, ok := Of(address); ok && f.signature == signature {
		return f, nil
	}
	i := slices.IndexFunc(formats, func(f Format) bool { return f.signature == signature })
	// What begins as text or as a file of an older office may be anything without its name.
	if i < 0 || signature == "text" || signature == "ole" {
		return Format{}, fmt.Errorf("%w, or another one than its name says", ErrFormat)
	}
	return formats[i], nil
}

// signatureOf names what the first bytes of a file show, "" for nothing known.
func signatureOf(head []byte) string {
	has := func(at int, text string) bool { return len(head) >= at && bytes.HasPrefix(head[at:], []byte(text)) }
	kind := http.DetectContentType(head)
	switch {
	case has(0, "%PDF-"):
		return "pdf"
	case has(0, "PK\x03\x04"), has(0, "PK\x05\x06"):
		return "zip"
	case has(0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"):
		return "ole"
	case has(0, "ID3"), len(head) > 1 && head[0] == 0xFF && head[1]&0xE6 == 0xE2: // MPEG, layer III
		return "mp3"
	case has(0, "OggS"):
		return "ogg"
	case has(0, "RIFF") && has(8, "WAVE"):
		return "wav"
	case has(0, "fLaC"):
		return "flac"
	case has(4, "ftyp"):
		return brandOf(head[8:])
	case has(0, "\x1A\x45\xDF\xA3") && bytes.Contains(head[:min(len(head), 64)], []byte("webm")):
		return "webm"
	case strings.HasPrefix(kind, "text/html"), strings.HasPrefix(kind, "text/xml"):
		return "html"
	case has(0, "WEBVTT"), has(0, "\uFEFFWEBVTT"):
		return "vtt"
	case strings.HasPrefix(kind, "text/plain") && !bytes.ContainsRune(head, 0):
		return "text"
	}
	return ""
}

// brandOf returns the signature of an ISO media file by its brand: those of pictures and of
// QuickTime are not mirrored.
func brandOf(brand []byte) string {
	for _, other := range []string{"qt", "hei", "hev", "avi", "mif", "msf", "jp", "crx"} {
		if bytes.HasPrefix(brand, []byte(other)) {
			return ""
		}
	}
	return "mp4"
}
