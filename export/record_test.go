package export_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/export"
	"ayna/export/importer"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

var noon = time.Date(2026, 9, 30, 22, 30, 0, 0, time.UTC) // of October in Istanbul

// strange are records whose JSON an encoder would not write so.
var strange = []archive.Record{
	{Record: record.Record{Kind: record.Article, ID: "1", Answers: record.Answers{List: []byte(`{"Id":"1", "Title" : "=HYPERLINK(\"x\")","Path":"/spor/futbol/","Tags":["a","b"],"StartDate":"2026-09-30T22:30:00Z"}`)}}},
	{Record: record.Record{Kind: record.Article, ID: "2", Answers: record.Answers{List: []byte(`{"Id":"2","Title":"<b>&amp;</b>\u003c\u2028","Path":"/spor/"}`), Single: []byte("{\n\t\"Id\": \"2\",\r\n \"Text\": \"a\"}")}}},
	{Record: record.Record{Kind: record.Column, ID: "3", Answers: record.Answers{Single: []byte("{\"Id\":\"3\",\"Title\":\"\xff\xfe\"}")}}},
	{Record: record.Record{Kind: record.Article, ID: "4", Answers: record.Answers{List: []byte(`{"Id":"4","N":1.0e+2,"N":1.0e+2}`), Hit: []byte(`{"Id":"4","Text":"bulundu"}`)}}},
	{Record: record.Record{Kind: record.Writer, ID: "ş/../5", Answers: record.Answers{List: []byte(`{"Id":"ş/../5","Fullname":"-1+1"}`)}}},
}

// store stores a record that arrives at noon.
func store(tx *archive.Tx, r *archive.Record) error {
	r.Listed, r.FetchDue = noon, r.Single == nil
	if r.Hit != nil {
		if err := tx.Hits.Put(r.ID, r.Hit); err != nil {
			return err
		}
	}
	return fakepaper.Store(tx, r)
}

func filled(t *testing.T, records []archive.Record) *archive.Archive {
	t.Helper()
	a := fakepaper.Archive(t)
	fakepaper.Update(t, a, func(tx *archive.Tx) error {
		for _, r := range records {
			if err := store(tx, &r); err != nil {
				return err
			}
			if r.Kind == record.Writer {
				continue
			}
			if err := tx.SetAddress(r.Row, "adres/"+string(r.Kind)+"-"+r.ID+".html"); err != nil {
				return err
			}
		}
		return tx.MarkGone(record.Article, "2", noon.Add(time.Hour))
	})
	return a
}

// Every line is JSON, and gives every byte back.
func TestLinesGiveEveryByteBack(t *testing.T) {
	t.Parallel()
	a := filled(t, strange)
	var lines bytes.Buffer
	if damaged, err := export.JSONL(t.Context(), a.Records, &lines, export.Selection{}, nil); err != nil || damaged != nil {
		t.Fatal(damaged, err)
	}
	n := 0
	for line := range bytes.Lines(lines.Bytes()) {
		n++
		if !json.Valid(line) {
			t.Errorf("no JSON: %s", line)
		}
	}
	if n != len(strange) {
		t.Errorf("%d lines of %d records", n, len(strange))
	}
	b := filled(t, nil)
	for round, want := range []importer.Imported{{Stored: len(strange)}, {Kept: len(strange)}} {
		got, err := importer.Import(t.Context(), b, bytes.NewReader(lines.Bytes()), record.Dates{}, nil)
		if err != nil || got != want {
			t.Errorf("round %d: %+v, %v, want %+v", round, got, err, want)
		}
	}
	for _, r := range strange {
		x, err1 := a.Records.Get(t.Context(), r.Kind, r.ID)
		y, err2 := b.Records.Get(t.Context(), r.Kind, r.ID)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if !bytes.Equal(y.List, r.List) || !bytes.Equal(y.Single, r.Single) || !bytes.Equal(y.Hit, r.Hit) || x.Hash != y.Hash {
			t.Errorf("%s: %q %q %q, want %q %q %q", r.ID, y.List, y.Single, y.Hit, r.List, r.Single, r.Hit)
		}
		if x.Seen != y.Seen || x.Listed != y.Listed || x.GoneAt != y.GoneAt || x.Address != y.Address || x.Title != y.Title {
			t.Errorf("%s: %+v, want %+v", r.ID, y, x)
		}
	}
	for f, err := range b.Check(t.Context(), record.Derive(record.Dates{}), 2, nil) {
		t.Errorf("the check says %s, %v", f, err)
	}
}

func TestParts(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 3*60*60)
	a := filled(t, strange)
	for _, test := range []struct{ name, path, from, to, want string }{
		{"all", "", "", "", "1 2 3 4 ş/../5"},
		{"the root", "/", "", "", "1 2 3 4 ş/../5"},
		{"folder", "spor", "", "", "1 2"},
		{"sub-folder", "/a/../../spor/futbol/", "", "", "1"},
		{"not by half a name", "/spo/", "", "", ""},
		{"month of the zone", "", "2026-10", "2026-10", "1"},
		{"month before", "", "2026-09", "2026-09", ""},
		{"day of the zone", "", "2026-10-01", "2026-10-01", "1"},
		{"from a year", "", "2026", "", "1"},
		{"to a year", "", "", "2026", "1"},
		{"to the day before", "", "", "2026-09-30", ""},
		{"from the day after", "", "2026-10-02", "2026-12", ""},
		{"the future", "", "2999", "", ""},
		{"a day of the year before", "", "2025-12-31", "2026", "1"},
		{"reversed", "", "2026-10", "2026-09", "error"},
		{"reversed within a year", "", "2027", "2026-12-31", "error"},
		{"no month", "", "eylül", "", "error"},
		{"month of no year", "", "2026-13", "", "error"},
		{"no day", "", "", "2026-02-30", "error"},
	} {
		selection, err := export.ParseSelection(test.path, test.from, test.to, zone)
		if err != nil {
			if test.want != "error" {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		var lines bytes.Buffer
		if _, err := export.JSONL(t.Context(), a.Records, &lines, selection, nil); err != nil {
			t.Fatal(err)
		}
		var ids []string
		for line := range bytes.Lines(lines.Bytes()) {
			var exported struct{ ID string }
			if err := json.Unmarshal(line, &exported); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, exported.ID)
		}
		if got := strings.Join(ids, " "); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
