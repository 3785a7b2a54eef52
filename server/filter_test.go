package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/server"
	"ayna/testrun/fakepaper"
)

// filtered are the records of testdata/filter.txt, by the names they have there.
var filtered = []struct {
	name string
	kind record.Kind
	list string
}{
	{"1", record.Article, `{"Id":"41000001","Path":"/gundem/","StartDate":"2026-03-01T08:00:00Z","ModifiedDate":"2026-03-05T10:00:00.52Z"}`},
	{"2", record.Article, `{"Id":"41000002","Path":"/spor/","StartDate":"2026-03-02T08:00:00Z","CreatedDate":"2026-01-01T00:00:00Z"}`},
	{"3", record.Article, `{"Id":"41000003","Path":"/spor/futbol/","ModifiedDate":"2026-03-04T00:00:00Z"}`},
	{"4", record.Article, `{"Id":"41000004","Path":"/o'brien/","CreatedDate":"2026-03-03T08:00:00Z"}`},
	{"5", record.Article, `{"Id":"41000005"}`},
	{"6", record.Article, `{"Id":"41000006","Path":"/Spor/","ModifiedDate":"2026-03-04T03:00:00+03:00"}`},
	{"7", record.Article, `{"Id":"410000070","Path":"/şehir/","ModifiedDate":"2026-03-06T00:00:00"}`},
	{"8", record.Article, `{"Id":"65ab","Path":"/a%_b\\/","ModifiedDate":"2025-12-31T23:59:59.999Z"}`},
	{"a", record.Column, `{"Id":"42000001","Path":"/yazarlar/","CreatedDate":"2026-03-01T00:00:00Z","WriterId":"65aa"}`},
	{"b", record.Column, `{"Id":"42000002","Path":"/yazarlar/","CreatedDate":"2026-03-02T00:00:00Z","WriterId":"65ab"}`},
	{"c", record.Column, `{"Id":"42000003","Path":"/yazarlar/","CreatedDate":"2026-03-03T00:00:00Z"}`},
	{"d", record.Column, `{"Id":"42000004","Path":"/yazarlar/","CreatedDate":"2026-03-04T00:00:00Z","WriterId":65}`},
	{"p", record.Page, `{"Id":"65cd","CreatedDate":"2026-03-04T00:00:00Z","Title":"Manşet"}`},
	{"f", record.Folder, `{"Id":"66ac","Path":"/spor/","Title":"Spor"}`},
}

func openFiltered(t testing.TB) *archive.Archive {
	t.Helper()
	var records []*archive.Record
	for _, r := range filtered {
		records = append(records, fakepaper.Raw(r.kind, r.list, ""))
	}
	return fakepaper.Archive(t, records...)
}

// found are the names of the records in the answer of a list operation.
func found(t testing.TB, body []byte) string {
	t.Helper()
	var records []struct{ Id string }
	if err := json.Unmarshal(body, &records); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	var names []string
	for _, r := range records {
		for _, f := range filtered {
			if strings.HasPrefix(f.list, `{"Id":"`+r.Id+`"`) {
				names = append(names, f.name)
			}
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func TestFilters(t *testing.T) {
	h := server.New(openFiltered(t), server.Options{})
	text, err := os.ReadFile("testdata/filter.txt")
	if err != nil {
		t.Fatal(err)
	}
	group, cases := "", 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "[") {
			group = strings.Trim(line, "[]")
		}
		expression, want, ok := strings.Cut(line, "=>")
		if !ok {
			continue
		}
		cases++
		expression, want = strings.TrimSuffix(expression, " "), strings.TrimSpace(want)
		t.Run(expression, func(t *testing.T) {
			w := get(h, "GET", "/v1/"+group+"?$filter="+url.QueryEscape(expression))
			if message, bad := strings.CutPrefix(want, "!"); bad {
				var answer struct{ Message string }
				if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusBadRequest ||
					!strings.HasPrefix(answer.Message, "$filter, at character ") || !strings.Contains(answer.Message, strings.TrimSpace(message)) {
					t.Errorf("%d %s, want 400 %s", w.Code, w.Body, message)
				}
				return
			}
			if w.Code != 200 || found(t, w.Body.Bytes()) != want {
				t.Errorf("%d, found %s; want %s", w.Code, w.Body, want)
			}
		})
	}
	if cases < 150 {
		t.Errorf("only %d cases were read", cases)
	}
}

func TestFilterLimits(t *testing.T) {
	h := server.New(openFiltered(t), server.Options{})
	many := func(n int, joint string) string {
		return strings.Repeat("Id ne 1"+joint, n-1) + "Id ne 1"
	}
	tests := []struct {
		name, expression, want string // want: what is found, or what the error says
	}{
		{"2 KiB", "Id eq '41000001'" + strings.Repeat(" ", 2048-16), "1"},
		{"more than 2 KiB", "Id eq '41000001'" + strings.Repeat(" ", 2048-15), "longer than 2048 bytes"},
		{"100,000 characters", strings.Repeat("a", 100_000), "longer than 2048 bytes"},
		{"99 nodes", "Id eq '41000001' and " + many(49, " and "), "1"},
		{"101 nodes", "Id eq '41000001' and " + many(50, " and "), "more than 100 comparisons"},
		{"1,000 or", many(1000, " or "), "longer than 2048 bytes"},
		{"100 or", many(100, " or "), "more than 100 comparisons"},
		{"a hundred not", strings.Repeat("not ", 100) + "Id eq 1", "nested deeper than 16"},
		{"16 parentheses", strings.Repeat("(", 16) + "Id eq '41000001'" + strings.Repeat(")", 16), "1"},
		{"17 parentheses", strings.Repeat("(", 17) + "Id eq '41000001'" + strings.Repeat(")", 17), "at character 17: nested deeper than 16"},
		{"open parentheses", strings.Repeat("(", 2000), "at character 17: nested deeper"},
		{"10,000 parentheses", strings.Repeat("(", 10_000), "longer than 2048 bytes"},
		{"side by side", strings.Repeat("(Id ne 1) and ", 40) + "(Id eq '41000001')", "1"},
		{"NUL", "Path eq '\x00'", ""},
		{"NUL in front", "\x00Id eq '41000001'", "at character 1: unexpected character"},
		{"no UTF-8", "Path eq 'ş\xc5'", "at character 9: this string is not UTF-8"},
		{"no UTF-8 outside of quotes", "ş\xc5 eq 'a'", "unexpected character"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := get(h, "GET", "/v1/articles?$filter="+url.QueryEscape(test.expression))
			if w.Code == 200 && found(t, w.Body.Bytes()) == test.want {
				return
			}
			if w.Code != 400 || test.want == "" || !strings.Contains(w.Body.String(), test.want) {
				t.Errorf("%d %s, want %s", w.Code, w.Body, test.want)
			}
		})
	}
}

// Dates without an offset are those of the option's zone.
func TestFilterZone(t *testing.T) {
	a := openFiltered(t)
	for _, test := range []struct {
		zone *time.Location
		want string
	}{{nil, "1 3 6 7"}, {time.FixedZone("", 3*60*60), "1 3 6 7"}, {time.FixedZone("", -3*60*60), "1 7"}} {
		h := server.New(a, server.Options{Location: test.zone})
		for _, date := range []string{"2026-03-04", "Datetime'2026-03-04T00:00:00'", "'2026-03-04T00:00'"} {
			w := get(h, "GET", "/v1/articles?$filter="+url.QueryEscape("ModifiedDate ge "+date))
			if got := found(t, w.Body.Bytes()); got != test.want {
				t.Errorf("%s in zone %v: %s, want %s", date, test.zone, got, test.want)
			}
		}
	}
}

// A filter narrows what is counted, skipped and cut.
func TestFilterWithWindow(t *testing.T) {
	h := server.New(openFiltered(t), server.Options{})
	filter := "$filter=" + url.QueryEscape("Path ge '/s'")
	for target, want := range map[string]string{"": "2 3 7", "&$top=1": "7", "&$top=1&$skip=1": "3", "&$skip=2": "2", "&$skip=3": ""} {
		w := get(h, "GET", "/v1/articles?$count=true&"+filter+target)
		if got := found(t, w.Body.Bytes()); got != want || w.Header().Get("X-Total-Count") != "3" {
			t.Errorf("%s: %s of %s, want %s of 3", target, got, w.Header().Get("X-Total-Count"), want)
		}
	}
	if w := get(h, "GET", "/v1/articles?"+filter); w.Header().Get("X-Total-Count") != "" {
		t.Error("counted unasked")
	}
	if w := get(h, "GET", "/v1/articles?$count=true"); w.Header().Get("X-Total-Count") != fmt.Sprint(bytes.Count(w.Body.Bytes(), []byte(`"Id"`))) {
		t.Errorf("%s records counted: %s", w.Header().Get("X-Total-Count"), w.Body)
	}
}
