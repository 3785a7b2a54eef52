package server_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"ayna/server"
	"ayna/testrun/fakepaper"
)

// No answer has a record whose JSON is damaged, the other records keep their
// places, and the log names it once.
func TestDamagedRecordIsNotAnswered(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	a := fakepaper.Open(t, path)
	fakepaper.Put(t, a, small...)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const broken = `(SELECT row FROM record WHERE id = '41000002')`
	for _, statement := range []string{
		`UPDATE raw SET list = replace(list, '"Path":', '"Path",') WHERE row = ` + broken,
		`UPDATE raw SET single = replace(single, 'yağmur', 'yaamur') WHERE row = ` + broken,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	h := server.New(a, server.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	for range 2 {
		for target, want := range map[string]string{
			"/v1/articles":                            "200 " + list(2, 0),
			"/v1/articles?$select=Id":                 `200 [{"Id":"41000003"},{"Id":"41000001"}]`,
			"/v1/articles?$top=1&$skip=1":             "200 " + list(0),
			"/v1/articles?$top=1&$skip=1&$orderby=Id": "200 " + list(2),
			"/v1/articles/41000002":                   `503 {"Message":"the record \"41000002\" is damaged in the archive","HelpLink":"/v1/"}`,
			"/v1/articles?Id=41000002":                `503 {"Message":"the record \"41000002\" is damaged in the archive","HelpLink":"/v1/"}`,
			"/v1/search/ya%C4%9Fmur":                  `200 {"Count":2,"List":[{"Id":"41000010","Text":"<p>yağmur</p>","Title":"Köşe","RelatedNews":[]}]}`,
			"/v1/search/ya%C4%9Fmur?s=1&$top=1":       `200 {"Count":2,"List":[{"Id":"41000010","Text":"<p>yağmur</p>","Title":"Köşe","RelatedNews":[]}]}`,
		} {
			if w := get(h, "GET", target); fmt.Sprint(w.Code, " ", w.Body) != want {
				t.Errorf("%s: %d %s\nwant %s", target, w.Code, w.Body, want)
			}
		}
	}
	if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "41000002") {
		t.Errorf("the log: %s", text)
	}
}
