package config_test

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"ayna/generator/config"
)

// TestConfigurationDocument compares the tables of docs/configuration.md, and the sample's
// site.yaml, with the keys of [config.Config]. A key within a value, as url in menu, stands on a line that names the value,
// or on the next one.
func TestConfigurationDocument(t *testing.T) {
	data, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	sample, err := os.ReadFile("../../site.yaml")
	if err != nil {
		t.Fatal(err)
	}
	rows := make(map[string]bool)
	for _, row := range regexp.MustCompile("(?m)^\\| (`.+?`) \\|").FindAllStringSubmatch(string(data), -1) {
		for _, key := range regexp.MustCompile("[a-z_.]+").FindAllString(row[1], -1) {
			rows[key] = true
		}
	}
	var compare func(of reflect.Type, group string, inRow bool)
	compare = func(of reflect.Type, group string, inRow bool) {
		for _, field := range reflect.VisibleFields(of) {
			name, value := field.Tag.Get("yaml"), field.Type
			if field.Anonymous || name == "" || name == "-" {
				continue
			}
			if value.Kind() == reflect.Slice {
				value = value.Elem()
			}
			key := strings.TrimPrefix(group+"."+name, ".")
			if inRow && !regexp.MustCompile("`"+group+"`.*\n?.*\\b"+name+"\\b").Match(data) || !inRow && !rows[key] && value.Kind() != reflect.Struct {
				t.Errorf("docs/configuration.md lacks the key %s", key)
			}
			if !inRow && !regexp.MustCompile(`\b`+name+`:`).Match(sample) {
				t.Errorf("site.yaml lacks the key %s", key)
			}
			if value.Kind() == reflect.Struct {
				compare(value, key, rows[key])
			}
			delete(rows, key)
		}
	}
	compare(reflect.TypeFor[config.Config](), "", false)
	for key := range rows {
		t.Errorf("docs/configuration.md has the key %s, which site.yaml does not", key)
	}
}
