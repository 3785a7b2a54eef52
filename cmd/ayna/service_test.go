package main

import (
	"fmt"
	"net/http"
	"strings"

	"ayna/testrun/fakepaper"
)

// oddService is a service that is no newspaper's:
//
//	empty     every list is empty
//	folders   folders and writers, and no item
//	ids       ids that an address has to escape, or that differ by a blank
func oddService(temper, base string) http.Handler {
	news := fakepaper.New(fakepaper.Options{Base: base, Items: 10})
	for _, r := range news.Records() {
		if temper == "empty" || (r.Group != "writers" && r.Group != "paths") {
			news.Remove(r.Group, r.ID)
		}
	}
	if temper == "ids" {
		for i, id := range []string{"490", "490 ", " 490", "490\t", "a/b", "a//b", "../490", "...", ". ", "a?b=c#d", "100%", "%2F", "a+b", "şölen", "a\x00b"} {
			news.Add(fakepaper.Record{Group: "articles", ID: id, Title: fmt.Sprint("Kimlik ", i), Path: "/spor/", Text: "<p>Metin " + strings.Repeat("x", i) + "</p>"})
		}
	}
	return news
}
