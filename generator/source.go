package generator

import (
	"ayna/generator/config"
	"ayna/source"
	"ayna/source/ghost"
	"ayna/source/readapi"
	"ayna/source/wordpress"
)

// openSource returns what opens a source of the configured kind. The key goes to the
// source's origin only.
func openSource(c config.Source) func(source.Connection) (source.Source, error) {
	key := string(c.APIKey)
	return func(with source.Connection) (source.Source, error) {
		switch c.Kind {
		case config.WordPress:
			return wordpress.New(wordpress.Config{BaseURL: c.URL, APIKey: key, Columns: c.Columns, Types: c.Types, Connection: with})
		case config.Ghost:
			return ghost.New(ghost.Config{BaseURL: c.URL, APIKey: key, Connection: with})
		}
		return readapi.New(c.URL, key, with)
	}
}
