package server

import (
	_ "embed"
	"encoding/json"
	"maps"
	"net/http"
)

// object is a JSON object. Its members are written sorted by name.
type object map[string]any

// openAPIBase is the part of the OpenAPI document that does not follow from the
// tables of operations and groups.
//
//go:embed openapi.json
var openAPIBase []byte

// openAPI answers with the description of the API for programs, OpenAPI 3.1.
func (s *api) openAPI() http.HandlerFunc {
	body, err := describeAPI(s.options.MaxTop)
	if err != nil {
		return func(w http.ResponseWriter, r *http.Request) { fail(w, err) }
	}
	return sendFile("application/json; charset=utf-8", body)
}

func describeAPI(maxTop int) ([]byte, error) {
	var document struct {
		Components map[string]map[string]object `json:"components"`
		Info       object                       `json:"info"`
		OpenAPI    string                       `json:"openapi"`
		Paths      object                       `json:"paths"`
		Security   []object                     `json:"security"`
		Servers    []object                     `json:"servers"`
	}
	if err := json.Unmarshal(openAPIBase, &document); err != nil {
		return nil, err
	}
	document.Paths = make(object)
	for _, o := range operations {
		document.Paths[o.path] = object{"get": describeOperation(o, maxTop)}
	}
	addRecordSchemas(document.Components["schemas"])
	return json.MarshalIndent(document, "", "  ")
}

func describeOperation(o *operation, maxTop int) object {
	ok := object{"description": "As asked.", "content": object{"application/json": object{"schema": o.schema}}}
	responses := object{
		"200": ok,
		"401": reference("responses/Unauthorized"),
		"429": reference("responses/TooMany"),
		"500": reference("responses/Unreadable"),
	}
	if o.list {
		ok["headers"] = object{totalHeader: object{
			"description": "With $count=true: how many records there are without $top and $skip.", "schema": object{"type": "integer"},
		}}
	}
	if o.group != nil {
		responses["404"], responses["503"] = reference("responses/NotFound"), reference("responses/NotYet")
	}
	described := object{"operationId": o.name, "summary": o.summary, "responses": responses, "tags": []string{o.tag}}
	if len(o.parameters) > 0 {
		responses["400"] = reference("responses/BadRequest")
		var parameters []object
		for _, p := range o.parameters {
			parameters = append(parameters, describeParameter(p, maxTop))
		}
		described["parameters"] = parameters
	}
	return described
}

func describeParameter(p parameter, maxTop int) object {
	schema := p.schema
	switch {
	case p.name == topParameter.name:
		schema = object{"type": "integer", "minimum": 0, "maximum": maxTop, "default": maxTop}
	case schema == nil:
		schema = textField
	}
	described := object{"name": p.name, "in": "query", "description": p.description, "schema": schema}
	if p.inPath {
		described["in"], described["required"] = "path", true
	}
	return described
}

// addRecordSchemas adds the schemas of records in their different forms.
func addRecordSchemas(schemas map[string]object) {
	schemas["Hit"] = recordSchema("A hit of a search.", hitFields, hitMore)
	schemas["News"] = recordSchema("A record as others name it.",
		[]string{"Id", "ContentType", "CreatedDate", "Description", "Files", "ModifieDate", "Path", "RelatedNews", "Tags", "Title", "Url", "Writers"}, nil)
	schemas["Person"] = recordSchema("A writer as others name one.",
		[]string{"Id", "Fullname", "ContentType", "CreatedDate", "Files", "Path", "Url"}, nil)
	for _, g := range groups {
		name := pascal(g.one)
		schemas[name+"Item"] = recordSchema("A record of "+g.many+" as lists show it.", g.list, union(g.more, g.single))
		schemas[name] = recordSchema("A record of "+g.many+" as its own operation shows it.", g.single, union(g.more, g.list))
	}
}

// recordSchema describes a record with its documented fields, and those that
// the service also sent.
func recordSchema(description string, fields, more []string) object {
	properties := object{}
	for _, name := range union(fields, more) {
		f := fieldsByName[name]
		property := maps.Clone(f.schema)
		property["description"] = f.meaning
		properties[name] = property
	}
	if len(more) > 0 {
		description += " Beside the documented fields there may be others."
	}
	return object{"type": "object", "description": description, "properties": properties}
}

func arrayOf(items object) object { return object{"type": "array", "items": items} }

func reference(to string) object { return object{"$ref": "#/components/" + to} }
