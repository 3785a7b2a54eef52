package attachment_test

import (
	"fmt"
	"strings"
	"testing"

	"ayna/attachment"
)

func TestSniff(t *testing.T) {
	ole := "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"
	for _, test := range []struct{ head, address, want string }{
		{"%PDF-1.4", "https://a.example/x.pdf?v=2", "pdf"},
		{"%PDF-1.4", "https://a.example/x.doc", "pdf"},
		{"PK\x03\x04", "x.DOCX", "docx"},
		{"PK\x03\x04", "x", "zip"},
		{ole, "x.xls", "xls"},
		{ole, "x.pdf", "no format"},
		{"Merhaba", "x.txt", "txt"},
		{"a;b\n1;2\n", "x.csv", "csv"},
		{"Merhaba", "x.pdf", "no format"},
		{"Merhaba\x00", "x.txt", "no format"},
		{"<!doctype html>", "x.pdf", "HTML"},
		{"  <script>", "x.csv", "HTML"},
		{"WEBVTT\n\n", "x.vtt", "vtt"},
		{"ID3\x04", "x.mp3", "mp3"},
		{"\xFF\xFB\x90\x00", "x", "mp3"},
		{"\xFF\xF1\x50\x80", "x.mp3", "no format"}, // AAC
		{"\xFF\xFEm\x00", "x.mp3", "no format"},    // a text in UTF-16
		{"\x00\x00\x00\x20ftypM4A ", "x.m4a", "m4a"},
		{"\x00\x00\x00\x20ftypisom", "x.bin", "mp4"},
		{"\x00\x00\x00\x20ftypqt  ", "x.mp4", "no format"},
		{"\x00\x00\x00\x20ftypheic", "x.mp4", "no format"},
		{"RIFF\x00\x00\x00\x00WAVE", "x.wav", "wav"},
		{"RIFF\x00\x00\x00\x00AVI ", "x.wav", "no format"},
		{"fLaC", "x", "flac"},
		{"OggS", "x.opus", "opus"},
		{"\x1A\x45\xDF\xA3\x01\x42\x82\x84webm", "x.webm", "webm"},
		{"\x1A\x45\xDF\xA3\x01\x42\x82\x88matroska", "x.webm", "no format"},
		{"\x7FELF", "x.zip", "no format"},
		{"#!/bin/sh\n", "x", "no format"},
		{"", "x.pdf", "empty"},
	} {
		format, err := attachment.Sniff([]byte(test.head), test.address)
		if got := fmt.Sprint(format.Extension, err); !strings.Contains(got, test.want) || (err == nil) != (format.Extension == test.want) {
			t.Errorf("%q at %s: %s, want %s", test.head, test.address, got, test.want)
		}
	}
}

func TestName(t *testing.T) {
	for address, want := range map[string]string{
		"https://a.example/x/Y%C4%B1ll%C4%B1k_rapor-2026.pdf?a=b": "Yıllık rapor-2026.pdf",
		"https://a.example/..%2F..%2Fetc%2Fpasswd":                "passwd",
		"https://a.example/a%00b%0A%5C.pdf":                       "ab .pdf",
		"https://a.example/%FF.pdf":                               ".pdf",
		"https://a.example/":                                      "",
		"https://a.example/..":                                    "",
		"::":                                                      "",
	} {
		if got := attachment.Name(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
