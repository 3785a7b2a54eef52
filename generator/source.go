package generator

import (
	"ayna/generator/config"
	"ayna/source"
	"ayna/source/kinds"
)

// openSource returns what opens a source of the configured kind. The key goes to the origin
// of the configured address only.
func openSource(c config.Source) func(source.Connection) (source.Source, error) {
	return func(with source.Connection) (source.Source, error) {
		return kinds.Of(c.Kind).Open(kinds.Settings{URL: c.URL, Key: string(c.APIKey), Columns: c.Columns, Types: c.Types, Feed: c.Feed, Connection: with})
	}
}
