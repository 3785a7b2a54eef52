package server_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayna/record"
	"ayna/server"
)

// openAPI is what the tests read of the description for programs.
type openAPI struct {
	OpenAPI string
	Paths   map[string]struct {
		Get struct {
			OperationID string
			Parameters  []parameter
			Responses   map[string]any
		}
	}
	Components struct {
		Parameters map[string]parameter
		Schemas    map[string]struct {
			Type, Description string
			Properties        map[string]struct {
				Ref string `json:"$ref"`
			}
		}
	}
}

type parameter struct {
	Ref                   string `json:"$ref"`
	Name, In, Description string
	Required              bool
	Schema                struct{ Type string }
}

func readOpenAPI(t *testing.T, h http.Handler) (text string, d openAPI) {
	t.Helper()
	text = get(h, "GET", "/v1/openapi.json").Body.String()
	if err := json.Unmarshal([]byte(text), &d); err != nil || d.OpenAPI != "3.1.0" {
		t.Fatalf("%v: %s", err, text)
	}
	return text, d
}

// Each operation of the description for programs answers, and each reference in it
// leads somewhere.
func TestOpenAPI(t *testing.T) {
	h := newSmall(t, server.Options{})
	text, description := readOpenAPI(t, h)
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
		if operation.Get.Responses["200"] == nil || operation.Get.Responses["401"] == nil {
			t.Errorf("%s: answers %v", path, operation.Get.Responses)
		}
		for _, p := range operation.Get.Parameters {
			if name, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
				p = description.Components.Parameters[name]
			}
			if inPath := strings.Contains(path, "{"+p.Name+"}"); inPath != p.Required || inPath != (p.In == "path") || p.Description == "" || p.Schema.Type == "" {
				t.Errorf("%s: parameter %+v", path, p)
			}
		}
	}
	slices.Sort(names)
	if unique := slices.Compact(slices.Clone(names)); len(unique) != len(names) || slices.Contains(names, "") {
		t.Errorf("names of operations: %q", names)
	}
	var components struct {
		Components map[string]map[string]any
	}
	if err := json.Unmarshal([]byte(text), &components); err != nil {
		t.Fatal(err)
	}
	references := regexp.MustCompile(`"#/components/(\w+)/(\w+)"`).FindAllStringSubmatch(text, -1)
	if len(references) < 100 || len(references) != strings.Count(text, `"$ref"`) {
		t.Errorf("%d references", len(references))
	}
	for _, reference := range references {
		if components.Components[reference[1]][reference[2]] == nil {
			t.Errorf("%s leads nowhere", reference[0])
		}
	}
}

// Each property that $filter and $orderby know is named where the description
// lists them, and no other.
func TestOpenAPINamesTheProperties(t *testing.T) {
	h := newSmall(t, server.Options{})
	_, description := readOpenAPI(t, h)
	for path, operation := range description.Paths {
		for _, p := range operation.Get.Parameters {
			ask, before := map[string]string{"$filter": "?$filter=x%20eq%201", "$orderby": "?$orderby=x"}[p.Name], "there are "
			if ask == "" {
				continue
			}
			if p.Name == "$filter" {
				before = "allowed properties are "
			}
			var refused struct{ Message string }
			if err := json.Unmarshal(get(h, "GET", path+ask).Body.Bytes(), &refused); err != nil {
				t.Fatal(err)
			}
			_, known, _ := strings.Cut(refused.Message, before)
			known, _, _ = strings.Cut(known, ";")
			if known == "" || !strings.Contains(p.Description, " of "+known+",") {
				t.Errorf("%s: %s knows %q: %s", path, p.Name, known, p.Description)
			}
		}
	}
}

// Each field of the records that the tests serve is described.
func TestOpenAPIDescribesTheFields(t *testing.T) {
	_, description := readOpenAPI(t, newSmall(t, server.Options{}))
	schemas := description.Components.Schemas
	names := map[record.Kind]string{record.Article: "Article", record.Column: "Column", record.Gallery: "PhotoGallery", record.Video: "Video",
		record.Page: "EditorialPage", record.Writer: "Writer", record.Folder: "Folder"}
	for _, r := range small {
		for schema, raw := range map[string]string{names[r.Kind] + "Item": string(r.List), names[r.Kind]: string(r.Single)} {
			var fields map[string]any
			if raw == "" {
				continue
			}
			if err := json.Unmarshal([]byte(raw), &fields); err != nil {
				t.Fatal(err)
			}
			for field := range fields {
				if ref := schemas[schema].Properties[field].Ref; ref != "#/components/schemas/"+field || schemas[field].Description == "" {
					t.Errorf("%s has no %s", schema, field)
				}
			}
		}
	}
}
