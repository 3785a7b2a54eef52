package config

import (
	"slices"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// local are the keys that hold a secret, or that mean something on one machine only.
var local = []string{
	"archive", "output", "templates", "assets", "own_pages", "notify", "source.api_key", "source.api_key_file", "serve.api_key",
}

// Portable returns the text of a configuration for another machine, with an archive in a
// file beside it: without secrets, paths and comments.
func Portable(data []byte, archive string) ([]byte, error) {
	file, err := parser.ParseBytes(data, 0) // without comments
	if err != nil || len(file.Docs) == 0 {
		return nil, err
	}
	body := file.Docs[0].Body
	removeLocal(body, "")
	return []byte("archive: " + archive + "\n" + body.String() + "\n"), nil
}

// removeLocal removes the local keys of a group, and groups that are empty then.
func removeLocal(node ast.Node, group string) {
	mapping, ok := node.(*ast.MappingNode)
	if !ok {
		return
	}
	mapping.Values = slices.DeleteFunc(mapping.Values, func(pair *ast.MappingValueNode) bool {
		key := group + pair.Key.GetToken().Value
		removeLocal(pair.Value, key+".")
		inside, ok := pair.Value.(*ast.MappingNode)
		return slices.Contains(local, key) || ok && len(inside.Values) == 0
	})
}
