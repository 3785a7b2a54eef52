package server

import (
	"net/http"
	"slices"
	"strings"

	"ayna/archive"
	"ayna/server/filter"
)

// order reads $orderby: properties, each with asc or desc after it, separated
// by commas. Of two that are one in the archive the first counts: by the other
// nothing is left to order.
func (q query) order(allowed []filter.Property) (archive.Order, error) {
	var order archive.Order
	text := strings.TrimSpace(q["$orderby"])
	if text == "" {
		return order, nil
	}
	var names, used []string
	for _, property := range allowed {
		names = append(names, property.Name)
	}
	for term := range strings.SplitSeq(text, ",") {
		words := append(strings.Fields(term), "", "asc")
		i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, words[0]) })
		down, up := strings.EqualFold(words[1], "desc"), strings.EqualFold(words[1], "asc") || len(words) == 3
		if i < 0 || !down && !up || len(words) > 4 || slices.Contains(used, names[i]) {
			return order, refuse(http.StatusBadRequest, "$orderby: %q; write a property once, asc or desc after it if you like; there are %s",
				strings.TrimSpace(term), strings.Join(names, ", "))
		}
		used = append(used, names[i])
		if !slices.Contains(order.By, allowed[i].Archive) {
			order.By, order.Down = append(order.By, allowed[i].Archive), append(order.Down, down)
		}
	}
	return order, nil
}
