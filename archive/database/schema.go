package database

import (
	"strings"
	"sync"
)

// Schema has the statements that make the tables of an archive, for both kinds of database.
type Schema struct {
	first            int // the version without steps
	sqlite, postgres versions

	objects func() (map[string]bool, error) // of a new SQLite database
}

// versions are the statements of a first version of the schema, and those that lead from each
// version to the next one.
type versions struct {
	first string
	steps []string
}

// NewSchema returns the schema of two files. The first version comes first in each; what stands
// below a line "-- Version N: …" is the step to that version. A released one is never changed.
func NewSchema(first int, sqlite, postgres string) *Schema {
	s := &Schema{first: first, sqlite: versionsOf(sqlite), postgres: versionsOf(postgres)}
	s.objects = sync.OnceValues(func() (map[string]bool, error) { return s.objectsAt(s.Latest()) })
	return s
}

func versionsOf(file string) versions {
	const heading = "\n-- Version "
	parts := strings.Split(file, heading)
	v := versions{first: parts[0]}
	for _, part := range parts[1:] {
		v.steps = append(v.steps, heading+part)
	}
	return v
}

// Latest returns the version of the schema that this program writes.
func (s *Schema) Latest() int { return s.first + len(s.sqlite.steps) }

// migration returns the statements that make a version of the schema from the version before
// it, or from nothing.
func (s *Schema) migration(v versions, version int) string {
	if version == s.first {
		return v.first
	}
	return v.steps[version-s.first-1]
}
