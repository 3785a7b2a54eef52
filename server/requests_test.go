package server_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/server"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// requestRecords are what the requests of testdata/requests.txt are answered
// from.
func requestRecords() (all []*archive.Record) {
	const writer, changed = "565439ed67b0a91b40a65a70", "2026-03-05T10:00:00Z"
	files := []any{map[string]any{"FileUrl": "http://resim.example/1.jpg", "Metadata": map[string]any{"Title": "", "Description": ""}}}
	item := func(kind record.Kind, id int, fields ...any) {
		day := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC).AddDate(0, 0, -(id % 100))
		all = append(all, fakepaper.With(fakepaper.Item(kind, fmt.Sprint(id), "CreatedDate", day.Format(time.RFC3339), "Title", fmt.Sprint("Haber ", id), "Files", files, "Tags", nil, "Editor", ""), fields...))
	}
	for i := range 55 {
		item(record.Article, 41000101+i, "ModifiedDate", changed, "Description", "Körfez", "Path", []string{"/gundem/", "/spor/"}[i%2], "Text", []string{"<p>Kar</p>", "<p>Maç</p>"}[i%2], "RelatedNews", []any{}, "Writers", []any{})
	}
	for i := range 25 {
		item(record.Gallery, 41002001+i, "ModifieDate", changed, "Description", "Lodos", "Path", "/galeri/", "Text", "")
	}
	for id := range 2 {
		all = append(all, fakepaper.Raw(record.Video, fmt.Sprintf(`{"Id":"%d","ContentType":"NewsVideo","ModifieDate":%q,"Title":"Video"}`, 41003001+id, changed), ``))
	}
	for i, id := range []string{writer, writer, "565439ed67b0a91b40a65a71"} {
		all = append(all, fakepaper.Raw(record.Column, fmt.Sprintf(`{"Id":"%d","Fullname":"Ada Deniz","ContentType":"Column","Title":"Köşe","WriterId":%q}`, 41004001+i, id), ``))
	}
	for _, id := range []string{writer, "565439ed67b0a91b40a65a71"} {
		all = append(all, fakepaper.Fields(record.Writer, id, "Fullname", "Ada Deniz", "ContentType", "PersonContainer", "Files", files, "Path", "/yazarlar/", "Url", "http://haber.example/ada"))
	}
	all = append(all, fakepaper.Fields(record.Page, "58ac2bae18c773091cd22ae5", "Title", "Manşet", "Url", "/", "PageNews", []any{}))
	for i, path := range []string{"/gundem/", "/spor/", "/galeri/"} {
		all = append(all, fakepaper.Fields(record.Folder, fmt.Sprint("58ac2bae18c773091cd22a", i), "Path", path, "Title", "Klasör"))
	}
	return all
}

// Requests as the sources of other programs have them: each request of the table,
// sent byte for byte, has an answer of the shape beside it.
func TestRequestsOfOldClients(t *testing.T) {
	testrun.NotShort(t)
	const key, origin = "anahtar", "http://localhost:3000"
	api := server.New(fakepaper.Archive(t, requestRecords()...), server.Options{APIKey: key, Origins: []string{origin}})
	address, _ := start(t, server.Middleware{Hosts: []string{"localhost", "api.haber.example"}}, server.Split(api, http.NotFoundHandler(), http.NotFoundHandler()))
	text, err := os.ReadFile("testdata/requests.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split("\n"+string(text), "\n== ")[1:]
	if len(cases) < 60 {
		t.Fatalf("only %d cases were read", len(cases))
	}
	for _, c := range cases {
		name, rest, _ := strings.Cut(c, "\n")
		request, want, found := strings.Cut(rest, "\n-> ")
		t.Run(name, func(t *testing.T) {
			if !found {
				t.Fatal("the case names no answer after ->")
			}
			method, _, _ := strings.Cut(request, " ")
			response, body := converse(t, address, method, onTheWire(request))
			if problem := misshapen(response, body, strings.TrimSpace(want)); problem != "" {
				t.Errorf("%s\nwant %s, but %s\n%d %.300s", request, strings.TrimSpace(want), problem, response.StatusCode, body)
			}
			for _, header := range []string{"X-RateLimit-Limit-Second", "X-RateLimit-Remaining-Hour"} {
				if n, err := strconv.ParseInt(response.Header.Get(header), 10, 32); response.StatusCode != 421 && (err != nil || n <= 0) {
					t.Errorf("%s: %q", header, response.Header.Get(header))
				}
			}
		})
	}
}

var escapedByte = regexp.MustCompile(`\\x[0-9A-F]{2}`)

// onTheWire is a request of the table as it is sent.
func onTheWire(request string) string {
	request = escapedByte.ReplaceAllStringFunc(request, func(s string) string {
		n, _ := strconv.ParseUint(s[2:], 16, 8) // the expression has made sure
		return string([]byte{byte(n)})
	})
	head, body, _ := strings.Cut(request, "\n\n")
	return strings.ReplaceAll(head, "\n", "\r\n") + "\r\n\r\n" + body
}

// converse sends a request and reads one answer.
func converse(t *testing.T, address, method, request string) (*http.Response, []byte) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(30 * time.Second))
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var from io.Reader = response.Body
	if response.Header.Get("Content-Encoding") == "gzip" {
		if from, err = gzip.NewReader(response.Body); err != nil {
			t.Fatal(err)
		}
	}
	body, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return response, body
}

var shapeForm = regexp.MustCompile(`^(\d{3}) (\w+)(?: (\d+))?(?: of (\d+))?(?:: (.+))?$`)

// misshapen compares an answer with the shape that the table names, and returns
// what is wrong with it.
func misshapen(response *http.Response, body []byte, want string) string {
	form := shapeForm.FindStringSubmatch(want)
	if form == nil {
		return "the table cannot be read"
	}
	status, sort, count, total, fields := form[1], form[2], form[3], form[4], form[5]
	if fmt.Sprint(response.StatusCode) != status {
		return "the status is another one"
	}
	if location := response.Header.Get("Location"); location != "" {
		return "it leads to " + location
	}
	contentType, records := "application/json; charset=utf-8", []json.RawMessage(nil)
	var wrong error
	switch sort {
	case "empty":
		contentType = response.Header.Get("Content-Type")
		if len(body) > 0 {
			return "it has a body"
		}
	case "text":
		contentType = "text/plain; charset=utf-8"
		if string(body) != count {
			return "the number is another one"
		}
	case "description":
		var description struct{ OpenAPI string }
		if wrong = json.Unmarshal(body, &description); wrong == nil && description.OpenAPI == "" {
			return "it is not OpenAPI"
		}
	case "date":
		var date struct{ Date string }
		if wrong = json.Unmarshal(body, &date); wrong == nil {
			_, wrong = time.Parse(time.RFC1123, date.Date)
		}
	case "error":
		var e struct{ Message, HelpLink string }
		if wrong = json.Unmarshal(body, &e); wrong == nil && (e.Message == "" || e.HelpLink != "/v1/") {
			return "the error lacks Message or HelpLink"
		}
	case "object":
		records, count = []json.RawMessage{body}, "1"
	case "array", "only":
		wrong = json.Unmarshal(body, &records)
	case "hits":
		var hits struct {
			Count int
			List  []json.RawMessage
		}
		if wrong = json.Unmarshal(body, &hits); wrong == nil && fmt.Sprint(hits.Count) != total {
			return fmt.Sprintf("there are %d hits", hits.Count)
		}
		records = hits.List
	default:
		return "the table has an unknown shape"
	}
	switch {
	case wrong != nil:
		return wrong.Error()
	case response.Header.Get("Content-Type") != contentType:
		return "it is " + response.Header.Get("Content-Type")
	case fields != "" && fmt.Sprint(len(records)) != count:
		return fmt.Sprintf("there are %d records", len(records))
	}
	return wrongFields(records, fields, sort == "only")
}

// wrongFields looks for fields that a record lacks, or has beside them.
func wrongFields(records []json.RawMessage, fields string, only bool) string {
	for _, answered := range records {
		var has map[string]json.RawMessage
		if err := json.Unmarshal(answered, &has); err != nil {
			return err.Error()
		}
		wanted := strings.Split(fields, ", ")
		for _, name := range wanted {
			if has[name] == nil {
				return "a record has no " + name
			}
		}
		for name := range has {
			if only && !slices.Contains(wanted, name) {
				return "a record has " + name
			}
		}
	}
	return ""
}
