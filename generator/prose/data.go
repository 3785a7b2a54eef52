package prose

import (
	"encoding/json"
	"fmt"
	"html/template"
)

// Linked returns a value as a block of JSON-LD, which says to machines what a
// page shows. Browsers take it for data and run nothing of it: encoding/json
// writes no "<", ">" or "&", so that no text in it can end the block.
func Linked(v any) (template.HTML, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("write JSON-LD: %w", err)
	}
	return template.HTML("<script type=\"application/ld+json\">" + string(data) + "</script>"), nil
}
