package prose

import (
	"encoding/json"
	"fmt"
	"html/template"

	"ayna/generator/press"
)

// Linked returns a value as a block of JSON-LD, which says to machines what a
// page shows. Browsers take it for data and run nothing of it: encoding/json
// writes no "<", ">" or "&", so that no text in it can end the block.
func Linked(v any) (press.Markup, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("write JSON-LD: %w", err)
	}
	return linked(data), nil
}

type linked []byte

func (data linked) AppendHTML(out []byte) []byte {
	out = append(out, `<script type="application/ld+json">`...)
	return append(append(out, data...), "</script>"...)
}

func (data linked) HTML() template.HTML { return template.HTML(data.AppendHTML(nil)) }
