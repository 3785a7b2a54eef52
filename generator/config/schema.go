package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"time"
)

// SchemaFile is the name that site.yaml gives to the file of its [Schema].
const SchemaFile = "site.schema.json"

// schema is a JSON schema, of the vocabulary that editors know best.
type schema struct {
	Schema      string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Default     any                `json:"default,omitempty"`
	Type        []string           `json:"type,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Pattern     string             `json:"pattern,omitempty"` // of strings
	Minimum     *int               `json:"minimum,omitempty"`
	Maximum     *int               `json:"maximum,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	AnyOf       []*schema          `json:"anyOf,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Additional  *bool              `json:"additionalProperties,omitempty"`
}

// The forms of texts that stand for another type.
const (
	variables     = `^\s*(\$\{[A-Za-z_][A-Za-z0-9_]*\}\s*)*$`
	holdsVariable = `\$\{[A-Za-z_][A-Za-z0-9_]*\}`
	oneWholeText  = `^-?[0-9]+$|` + holdsVariable
	oneTruth      = `^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$|` + holdsVariable
	oneSize       = `^ *[0-9]+ *[KMGTkmgt][Bb] *$|` + holdsVariable
	oneDuration   = `^[+-]?(0|([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$|` + holdsVariable
)

// Schema returns the JSON schema of site.yaml, by which editors complete and check it. It takes
// keys and types from [Config], words and ranges from the checks, and descriptions from
// [Descriptions]. It accepts all that [Parse] does, which checks more.
func Schema() ([]byte, error) {
	r := newReader("", func(string) (string, bool) { return "", false })
	config := defaults()
	check(&config, r) // for its rules; an empty configuration has faults
	s := schemer{rules: r.rules, described: maps.Collect(Descriptions())}
	values := defaults()
	top := s.group("", reflect.ValueOf(values))
	top.Schema, top.Title = "http://json-schema.org/draft-07/schema#", "site.yaml of ayna"
	top.Required = []string{"base_url"}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(top); err != nil {
		return nil, fmt.Errorf("schema of site.yaml: %w", err)
	}
	return b.Bytes(), nil
}

// schemer makes the schemas of keys.
type schemer struct {
	rules     map[string]rule
	described map[string]Described
}

// group returns the schema of a struct. A key without a value has its default.
func (s *schemer) group(path string, of reflect.Value) *schema {
	group := &schema{Type: []string{"object", "null"}, Properties: make(map[string]*schema), Additional: new(bool)}
	for name, field := range fields(of.Type()) {
		key := strings.TrimPrefix(path+"."+name, ".")
		value := s.value(key, of.FieldByIndex(field.Index))
		value.Description = s.described[key].Meaning
		group.Properties[name] = value
	}
	return group
}

// value returns the schema of a key, with its default.
func (s *schemer) value(key string, of reflect.Value) *schema {
	var result *schema
	switch {
	case of.Type() == reflect.TypeFor[SavedSearch]():
		result = s.group(key, of)
		result = &schema{AnyOf: []*schema{text(), result}}
	case of.Kind() == reflect.Struct:
		return s.group(key, of)
	case of.Kind() == reflect.Slice:
		result = &schema{Type: []string{"array", "null"}, Items: s.value(key, reflect.Zero(of.Type().Elem()))}
	default:
		result = s.scalar(key, of)
	}
	if duration, ok := of.Interface().(time.Duration); ok && duration != 0 {
		result.Default = duration.String()
	} else if !of.IsZero() {
		result.Default = of.Interface()
	}
	return result
}

func (s *schemer) scalar(key string, of reflect.Value) *schema {
	switch of.Interface().(type) {
	case int:
		rule := s.rules[key]
		return &schema{Type: []string{"integer", "string", "null"}, Pattern: oneWholeText, Minimum: rule.least, Maximum: rule.most}
	case bool:
		return &schema{Type: []string{"boolean", "string", "null"}, Pattern: oneTruth}
	case time.Duration:
		none := 0
		return &schema{Type: []string{"string", "integer", "null"}, Pattern: oneDuration, Minimum: &none, Maximum: &none}
	case Size:
		return &schema{Type: []string{"string", "null"}, Pattern: oneSize}
	case Secret:
		return &schema{Type: []string{"string", "null"}, Pattern: variables}
	}
	words := s.rules[key].words
	if words == nil {
		return text()
	}
	if key == "source.dates" { // "" leaves dates unread
		words = append(words, "")
	}
	return &schema{AnyOf: []*schema{{Enum: words}, {Type: []string{"string", "null"}, Pattern: holdsVariable}}}
}

// text is the schema of a text, which may look like a number or a truth.
func text() *schema {
	return &schema{Type: []string{"string", "number", "boolean", "null"}}
}
