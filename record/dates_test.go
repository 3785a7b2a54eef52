package record_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/site"
	"ayna/record"
)

// languages are those that have a file of words, and American English.
var languages = []string{"ar", "ar-EG", "ar-IQ", "ar-TN", "de", "el", "en", "en-US", "es", "fr", "he", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "uk", "zh", "zh-Hant"}

// read returns the date of publication that JSON with a StartDate gives, as text, and what is
// unread.
func read(t testing.TB, start string, how record.Dates) (date, unread string) {
	t.Helper()
	r := &archive.Record{Record: record.Record{Kind: record.Article, ID: "1", Answers: record.Answers{List: []byte(`{"Id":"1","StartDate":` + start + `}`)}}}
	if err := record.Fill(&r.Record, how); err != nil {
		t.Fatal(err)
	}
	filled := *r
	if err := how.Derive(&r.Record); err != nil || !r.Published.Equal(filled.Published) || !r.Modified.Equal(filled.Modified) {
		t.Errorf("%s: Derive gives %v, %v, and Fill %v: %v", start, r.Published, r.Modified, filled.Published, err)
	}
	unread, _ = how.Unread(&r.Record)
	return text(r.Published), unread
}

func TestFormsOfDates(t *testing.T) {
	for _, test := range []struct{ text, order, want string }{ // want "" is unread, "-" is none
		{"03/04/2026", "", ""},
		{"03/04/2026", "dmy", "2026-04-03T00:00:00Z"},
		{"03/04/2026 09:08", "mdy", "2026-03-04T09:08:00Z"},
		{"30/10/2026", "mdy", "2026-10-30T00:00:00Z"},
		{"10/30/2026", "dmy", "2026-10-30T00:00:00Z"},
		{"3-4-2026", "dmy", "2026-04-03T00:00:00Z"},
		{"03.04.2026", "mdy", "2026-04-03T00:00:00Z"},
		{"31/02/2026", "dmy", ""},
		{"30 Ekim 2026", "", "2026-10-30T00:00:00Z"},
		{"30 EKİM 2026 Cuma 09.08", "", "2026-10-30T09:08:00Z"},
		{"30 Kas 2026, Pazartesi 09:08:51", "", "2026-11-30T09:08:51Z"},
		{"Freitag, 30. Oktober 2026 um 09:08", "", "2026-10-30T09:08:00Z"},
		{"1er déc. 2026 à 09:08", "", "2026-12-01T09:08:00Z"},
		{"mar 3 octubre 2026", "", "2026-10-03T00:00:00Z"},
		{"viernes, 30 de octubre de 2026, 09:08", "", "2026-10-30T09:08:00Z"},
		{"sexta-feira, 30 de out. de 2026", "", "2026-10-30T00:00:00Z"},
		{"vrijdag 30 mrt 2026", "", "2026-03-30T00:00:00Z"},
		{"30 paź 2026", "", "2026-10-30T00:00:00Z"},
		{"пятница, 30 октября 2026 г., 09:08", "", "2026-10-30T09:08:00Z"},
		{"п'ятниця, 30 жовтня 2026 р. о 09:08", "", "2026-10-30T09:08:00Z"},
		{"Παρασκευή 30 Οκτωβρίου 2026", "", "2026-10-30T00:00:00Z"},
		{"יום שישי, 30 באוקטובר 2026", "", "2026-10-30T00:00:00Z"},
		{"الجمعة، ٣٠ تشرين الأول ٢٠٢٦، ٠٩:٠٨", "", "2026-10-30T09:08:00Z"},
		{"30 ژوئن 2026", "", "2026-06-30T00:00:00Z"},
		{"2026年10月30日(金) 09:08", "", "2026-10-30T09:08:00Z"},
		{"2026年10月30日星期五", "", "2026-10-30T00:00:00Z"},
		{"Fri, October 30, 2026, 9:08 PM", "", "2026-10-30T21:08:00Z"},
		{"Ekim 30, 2026", "", "2026-10-30T00:00:00Z"},
		{"31 Kasım 2026", "", ""},
		{"30 jui 2026", "", ""}, // June or July
		{"30 Ekim 2026 09:08 EEST", "", ""},
		{"30 Ekimde 2026", "", ""},
		{"dün", "", ""},
		{"1405/08/08", "", ""},
		{strings.Repeat("30 Ekim ", 20) + "2026", "", ""},
		{"0000-00-00 00:00:00", "", "-"}, {"0001-01-01T00:00:00", "", "-"}, {" ", "", "-"}, {"-", "", "-"},
	} {
		got, unread := read(t, `"`+test.text+`"`, record.Dates{Order: client.Order(test.order)})
		if got != strings.Trim(test.want, "-") && test.want != "-" || test.want == "-" && got != "" || (unread != "") != (test.want == "") {
			t.Errorf("%s (%s): %q, unread %q; want %q", test.text, test.order, got, unread, test.want)
		}
	}
	for _, none := range []string{"null", "[]", "{}", "false", "0", `""`} {
		if got, unread := read(t, none, record.Dates{}); got+unread != "" {
			t.Errorf("%s: %q, unread %q", none, got, unread)
		}
	}
}

// A month of each language is read as its site writes it, in capital letters and in parts.
func TestNamedMonths(t *testing.T) {
	for _, language := range languages {
		words, err := site.WordsFor(language)
		if err != nil {
			t.Fatal(language, err)
		}
		for month := time.January; month <= time.December; month++ {
			at := time.Date(2026, month, 28, 9, 8, 0, 0, time.UTC)
			for _, date := range []string{words.DateTime(at), strings.ToUpper(words.DateTime(at)), words.Date(at) + " 09:08"} {
				if got, _ := read(t, `"`+date+`"`, record.Dates{}); got != text(at) {
					t.Errorf("%s: %q gives %q", language, date, got)
				}
			}
		}
	}
}

// FuzzDates: any text is a possible date or unread, and each form of a date is read as it was
// written.
func FuzzDates(f *testing.F) {
	f.Add("30 Ekim 2026 09:08", int64(1_793_351_331), uint(4))
	f.Add("٣٠/١٠/٢٠٢٦", int64(0), uint(1))
	f.Add(`2026-W53-7T24:00:00.999999999+23:59`, int64(4_102_444_799), uint(60))
	layouts := []string{"02.01.2006 15:04:05", "2.1.2006 15:04:05", "20060102T150405Z", "20060102T150405Z0700", "2006-002T15:04:05Z", "2006/1/2 15:04:05",
		time.RFC3339, time.RFC1123, time.RFC1123Z, time.ANSIC, "2 Jan 2006, 3:04:05 PM", "Monday, January 2, 2006 at 3:04:05 pm", "20060102150405"}
	all := make(map[string]site.Words)
	for _, language := range languages {
		var err error
		if all[language], err = site.WordsFor(language); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, any string, unix int64, n uint) {
		for _, order := range []client.Order{"", client.DayFirst, client.MonthFirst} {
			d := client.ParseDate(any, order, site.MonthNamed)
			if !d.IsZero() && (d.Unread != "" || d.Year() < 2 || d.Year() > 9999 || d.Location() != time.UTC) {
				t.Errorf("%q: %+v", any, d)
			}
			if again := client.ParseDate(d.Unread, order, site.MonthNamed); d.IsZero() && again != d {
				t.Errorf("%q: %+v, then %+v", any, d, again)
			}
		}
		at := time.Unix(unix%253_402_300_800, 0).UTC()
		if at.Year() < 1900 || at.Year() > 9999 {
			return
		}
		layout := layouts[n%uint(len(layouts))]
		year, week := at.ISOWeek()
		inWeek := fmt.Sprintf("%04d-W%02d-%d", year, week, (int(at.Weekday())+6)%7+1)
		for how, date := range map[record.Dates]string{
			{}:                         at.Format(layout),
			{Order: client.DayFirst}:   at.Format("2/1/2006 15:04:05"),
			{Order: client.MonthFirst}: at.Format("01/02/2006 03:04:05 PM"),
		} {
			if got, _ := read(t, `["`+date+`"]`, how); got != text(at) {
				t.Errorf("%q gives %q, not %q", date, got, text(at))
			}
		}
		if got, _ := read(t, `"`+inWeek+`"`, record.Dates{}); got != text(at.Truncate(24*time.Hour)) && year <= 9999 {
			t.Errorf("%q gives %q, not %q", inWeek, got, text(at))
		}
		language := languages[n%uint(len(languages))]
		words := all[language]
		minute := at.Truncate(time.Minute)
		if got, _ := read(t, `"`+words.DateTime(at)+`"`, record.Dates{}); got != text(minute) {
			t.Errorf("%s: %q gives %q, not %q", language, words.DateTime(at), got, text(minute))
		}
	})
}
