package fetch

import (
	"ayna/record"
	"ayna/source"
)

// kindOf has the kind of each group's records.
var kindOf = func() map[source.Group]record.Kind {
	kinds := make(map[source.Group]record.Kind)
	for kind, group := range record.Groups {
		kinds[source.Group(group)] = kind
	}
	return kinds
}()
