package server

import (
	"encoding/json"
	"net/http"
	"strings"
)

// object is a JSON object. Its members are written sorted by name.
type object map[string]any

// openAPI answers with the description of the API for programs, by OpenAPI 3.1.
func (s *api) openAPI() http.HandlerFunc {
	body, err := json.MarshalIndent(describe(s.options.MaxTop), "", "  ")
	if err != nil {
		return func(w http.ResponseWriter, r *http.Request) { fail(w, err) }
	}
	return sendFile("application/json; charset=utf-8", body)
}

func describe(mostRecords int) object {
	paths := object{}
	for _, o := range operations {
		paths[o.path] = object{"get": describeOperation(o, mostRecords)}
	}
	return object{
		"openapi": "3.1.0",
		"info": object{
			"title":       "Content Publishing Read API",
			"version":     "1",
			"description": "Articles, columns, photo galleries, videos, editorial pages, writers and folders of a news service, answered from an archive. Every record is as it was received from the service.",
			"license":     object{"name": "The records belong to the service that they came from.", "identifier": "LicenseRef-source"},
		},
		"servers":  []object{{"url": "/"}},
		"security": []object{{}, {"apikey": []string{}}},
		"paths":    paths,
		"components": object{
			"schemas":         schemas(),
			"responses":       responses(),
			"securitySchemes": object{"apikey": object{"type": "apiKey", "in": "header", "name": "apikey", "description": "Asked for where the server has one."}},
		},
	}
}

func describeOperation(o *operation, mostRecords int) object {
	good := object{"description": "As asked.", "content": jsonContent(o.schema())}
	answers := object{
		"200": good,
		"401": reference("responses/Unauthorized"),
		"429": reference("responses/TooMany"),
		"500": reference("responses/Unreadable"),
	}
	if o.isList() {
		good["headers"] = object{totalHeader: object{
			"description": "With $count=true: how many records there are without $top and $skip.", "schema": object{"type": "integer"},
		}}
	}
	if len(o.parameters) > 0 {
		answers["400"] = reference("responses/BadRequest")
	}
	if o.group != nil {
		answers["404"], answers["503"] = reference("responses/NotFound"), reference("responses/NotYet")
	}
	operation := object{"operationId": o.name, "summary": o.summary, "responses": answers, "tags": []string{o.tag()}}
	var parameters []object
	for _, p := range o.parameters {
		parameters = append(parameters, describeParameter(o, p, mostRecords))
	}
	if parameters != nil {
		operation["parameters"] = parameters
	}
	return operation
}

func (o *operation) isList() bool { return o.group != nil && !strings.HasSuffix(o.path, "}") }

func (o *operation) tag() string {
	if o.group == nil {
		return "service"
	}
	return o.group.name
}

func describeParameter(o *operation, p parameter, mostRecords int) object {
	schema := object{"type": "string"}
	if p.number {
		schema["type"] = "integer"
	}
	switch {
	case p.name == topParameter.name:
		schema["minimum"], schema["maximum"], schema["default"] = 0, mostRecords, mostRecords
	case p.name == skipParameter.name:
		schema["minimum"], schema["default"] = 0, 0
	case p.name == directionParameter.name:
		schema["enum"], schema["default"] = []int{-1, 1}, -1
	case len(p.values) > 0:
		schema["enum"] = p.values
	}
	described := object{"name": p.name, "in": "query", "description": p.description, "schema": schema}
	if p.inPath(o) {
		described["in"], described["required"] = "path", true
	}
	return described
}

// schema is that of the answer.
func (o *operation) schema() object {
	switch {
	case o.isList():
		return object{"type": "array", "items": reference("schemas/" + o.group.schemaName() + "Item")}
	case o.group != nil:
		return reference("schemas/" + o.group.schemaName())
	case len(o.parameters) == 0:
		return reference("schemas/Date")
	}
	return reference("schemas/Hits")
}

func (g *group) schemaName() string { return pascal(g.one) }

func schemas() object {
	all := object{
		"Error": shape("An error.", object{
			"Message":  object{"type": "string"},
			"HelpLink": object{"type": "string", "description": "Where the API is explained."},
		}, "Message", "HelpLink"),
		"Date": shape("The server's date.", object{"Date": object{"type": "string", "description": "As in RFC 1123."}}, "Date"),
		"Hits": shape("What a search found.", object{
			"Count": object{"type": "integer", "description": "Of all hits."},
			"List":  object{"type": "array", "items": reference("schemas/Hit")},
		}, "Count", "List"),
		"Hit":  recordShape("A hit of a search.", hitFields, hitMore),
		"File": shape("A picture.", object{"FileUrl": object{"type": "string"}, "Metadata": reference("schemas/FileMetadata")}),
		"FileMetadata": shape("Words about a picture, often empty.", object{
			"Title": object{"type": "string"}, "Description": object{"type": "string"},
		}),
		"News":   recordShape("A record as others name it.", []string{"Id", "ContentType", "CreatedDate", "Description", "Files", "ModifieDate", "Path", "RelatedNews", "Tags", "Title", "Url", "Writers"}, nil),
		"Person": recordShape("A writer as others name one.", []string{"Id", "Fullname", "ContentType", "CreatedDate", "Files", "Path", "Url"}, nil),
	}
	for _, g := range groups {
		all[g.schemaName()+"Item"] = recordShape("A record of "+g.many+" as lists show it.", g.list, union(g.more, g.single))
		all[g.schemaName()] = recordShape("A record of "+g.many+" as its own operation shows it.", g.single, union(g.more, g.list))
	}
	return all
}

// recordShape describes one with documented fields, and fields that the service
// sent beside them, or in the other of its two shapes.
func recordShape(description string, fields, more []string) object {
	properties := object{}
	for _, name := range union(fields, more) {
		f := fieldsByName[name]
		property := f.form.schema()
		property["description"] = f.meaning
		properties[name] = property
	}
	if len(more) > 0 {
		description += " Beside the documented fields there may be others."
	}
	return shape(description, properties)
}

func shape(description string, properties object, required ...string) object {
	s := object{"type": "object", "description": description, "properties": properties}
	if required != nil {
		s["required"] = required
	}
	return s
}

func (f form) schema() object {
	list := func(items object) object { return object{"type": "array", "items": items} }
	switch f {
	case asTexts:
		return list(object{"type": "string"})
	case asFiles:
		return list(reference("schemas/File"))
	case asNews:
		return list(reference("schemas/News"))
	case asPersons:
		return list(reference("schemas/Person"))
	}
	return object{"type": "string"}
}

func responses() object {
	all := object{}
	for name, description := range map[string]string{
		"BadRequest":   "A parameter makes no sense; the message says which, and what would.",
		"Unauthorized": "The API key is missing or wrong.",
		"NotFound":     "There is no such record.",
		"Unreadable":   "The archive cannot be read.",
		"NotYet":       "The record is known, but its own answer has not reached the archive yet.",
	} {
		all[name] = object{"description": description, "content": jsonContent(reference("schemas/Error"))}
	}
	all["TooMany"] = object{
		"description": "More requests than a key is allowed.",
		"content":     object{"text/plain": object{"schema": object{"type": "string"}}},
	}
	return all
}

func jsonContent(schema object) object { return object{"application/json": object{"schema": schema}} }

func reference(to string) object { return object{"$ref": "#/components/" + to} }
