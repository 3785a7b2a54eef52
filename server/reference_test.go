package server_test

import (
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/server"
)

var href = regexp.MustCompile(`href="([^"]*)"`)

// Every link of the page leads somewhere, in an archive with and without
// records, whatever these say of themselves.
func TestReferencePage(t *testing.T) {
	hostile := []stored{
		{archive.Article, `{"Id":"<script>alert(1)</script>","Path":"/\"><script>'/","Title":"<img src=x onerror=alert(1)> javascript:"}`, `{"Id":"<script>alert(1)</script>","Title":"x"}`},
		{archive.Column, `{"Id":"a/../b?c#d","WriterId":"' or ''='","Path":7,"Title":["x"]}`, `{"Id":"a/../b?c#d"}`},
	}
	for name, records := range map[string][]stored{"empty": nil, "small": small, "hostile": hostile} {
		t.Run(name, func(t *testing.T) {
			h := server.New(openWith(t, records), server.Options{})
			w := get(h, "GET", "/v1/")
			page := w.Body.String()
			if w.Code != 200 || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
				t.Fatalf("%d %s", w.Code, w.Header().Get("Content-Type"))
			}
			if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
				t.Errorf("policy %q", policy)
			}
			for _, bad := range []string{"<script", "<style", "<img", " style=", " onerror=\"", "ZgotmplZ"} {
				if strings.Contains(page, bad) {
					t.Errorf("the page holds %s", bad)
				}
			}
			links := href.FindAllStringSubmatch(page, -1)
			if (len(links) > 5) != (len(records) > 0) {
				t.Errorf("%d links", len(links))
			}
			for _, link := range links {
				target := html.UnescapeString(link[1])
				if w := get(h, "GET", target); w.Code != 200 || w.Body.Len() < 3 {
					t.Errorf("%s: %d %s", target, w.Code, w.Body)
				}
			}
		})
	}
}

// The description for programs is made from what answers: each operation in it
// answers, and each reference in it leads somewhere.
func TestOpenAPI(t *testing.T) {
	h := newSmall(t, server.Options{MaxTop: 7})
	w := get(h, "GET", "/v1/openapi.json")
	var description struct {
		OpenAPI string
		Paths   map[string]struct {
			Get struct {
				OperationID string
				Parameters  []struct {
					Name, In, Description string
					Required              bool
					Schema                struct{ Maximum *int }
				}
				Responses map[string]any
			}
		}
		Components map[string]map[string]any
	}
	if err := json.Unmarshal(w.Body.Bytes(), &description); err != nil || description.OpenAPI != "3.1.0" {
		t.Fatalf("%v: %s", err, w.Body)
	}
	if len(description.Paths) != 16 {
		t.Errorf("%d operations, want 16", len(description.Paths))
	}
	var names []string
	example := strings.NewReplacer("/articles/{Id}", "/articles/41000001", "/columns/{Id}", "/columns/41000010", "/newsphotogalleries/{Id}", "/newsphotogalleries/41000020",
		"/newsvideos/{Id}", "/newsvideos/41000030", "/pages/{Id}", "/pages/65cd", "/writers/{Id}", "/writers/65aa", "/paths/{Id}", "/paths/66ac", "{keyword}", "kar")
	for path, operation := range description.Paths {
		names = append(names, operation.Get.OperationID)
		if w := get(h, "GET", example.Replace(path)); w.Code != http.StatusOK {
			t.Errorf("%s: %d", path, w.Code)
		}
		for _, p := range operation.Get.Parameters {
			if inPath := strings.Contains(path, "{"+p.Name+"}"); inPath != p.Required || inPath != (p.In == "path") || p.Description == "" {
				t.Errorf("%s: parameter %+v", path, p)
			}
			if p.Name == "$top" && *p.Schema.Maximum != 7 {
				t.Errorf("%s: $top up to %d", path, *p.Schema.Maximum)
			}
		}
	}
	slices.Sort(names)
	if unique := slices.Compact(slices.Clone(names)); len(unique) != len(names) || slices.Contains(names, "") {
		t.Errorf("names of operations: %q", names)
	}
	for _, reference := range regexp.MustCompile(`"#/components/(\w+)/(\w+)"`).FindAllStringSubmatch(w.Body.String(), -1) {
		if description.Components[reference[1]][reference[2]] == nil {
			t.Errorf("%s leads nowhere", reference[0])
		}
	}
}

// Each field of the records that the tests serve is described.
func TestOpenAPIDescribesTheFields(t *testing.T) {
	h := newSmall(t, server.Options{})
	var description struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct{ Description string }
			}
		}
	}
	if err := json.Unmarshal(get(h, "GET", "/v1/openapi.json").Body.Bytes(), &description); err != nil {
		t.Fatal(err)
	}
	names := map[archive.Kind]string{archive.Article: "Article", archive.Column: "Column", archive.Gallery: "PhotoGallery", archive.Video: "Video",
		archive.Page: "EditorialPage", archive.Writer: "Writer", archive.Folder: "Folder"}
	for _, r := range small {
		for schema, raw := range map[string]string{names[r.kind] + "Item": r.list, names[r.kind]: r.single} {
			var fields map[string]any
			if raw == "" {
				continue
			}
			if err := json.Unmarshal([]byte(raw), &fields); err != nil {
				t.Fatal(err)
			}
			for field := range fields {
				if description.Components.Schemas[schema].Properties[field].Description == "" {
					t.Errorf("%s has no %s", schema, field)
				}
			}
		}
	}
}

func TestV13NothingInHeaders(t *testing.T) {
	h := newSmall(t, server.Options{})
	for _, target := range []string{
		"/v1/articles/%0d%0aEvil:%201", "/v1/search/%0d%0aEvil:%201", "/v1/articles?$filter=%0d%0aEvil:%201", "/v1/articles?%0d%0aEvil=1&%0d%0aEvil=1",
		"/v1/articles?$select=%0d%0aEvil:%201", "/v1/articles?$count=%0d%0aEvil:1", "/v1/articles?Id=%0d%0aEvil:%201", "/v1/%0d%0aEvil:%201", "/v1/?$x=%0d%0aEvil:%201",
		"/v1//evil.example/%2e%2e", "/v1/..%2f..%2fevil.example",
	} {
		w := get(h, "GET", target)
		for name, values := range w.Header() {
			if strings.ContainsAny(name+strings.Join(values, ""), "\r\n") || strings.Contains(name+strings.Join(values, ""), "Evil") {
				t.Errorf("%s: header %q: %q", target, name, values)
			}
		}
		if location := w.Header().Get("Location"); strings.HasPrefix(location, "//") || strings.Contains(location, "://") {
			t.Errorf("%s leads to %s", target, location)
		}
	}
}
