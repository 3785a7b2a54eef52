package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"iter"

	"ayna/generator/output"
	"ayna/generator/site"
)

// webManifest is what a telephone needs to know to put the site on its screen
// (W3C, Web Application Manifest). Addresses are relative to it.
type webManifest struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Language    string         `json:"lang"`
	Start       string         `json:"start_url"`
	Display     string         `json:"display"`
	Background  string         `json:"background_color"`
	Icons       []manifestIcon `json:"icons"`
}

type manifestIcon struct {
	Source string `json:"src"`
	Sizes  string `json:"sizes"`
	Type   string `json:"type"`
}

// paper is the background of the built-in style sheet.
const paper = "#fcfbf8"

func (r *Renderer) webManifest() iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		m := webManifest{
			Name: r.site.Title, Description: r.site.Description, Language: r.site.Language,
			Start: "index.html", Display: "minimal-ui", Background: paper, Icons: []manifestIcon{},
		}
		for _, asset := range r.options.Assets {
			switch size, err := png.DecodeConfig(bytes.NewReader(asset.Data)); {
			case asset.Name == iconName:
				m.Icons = append(m.Icons, manifestIcon{asset.Address, "any", "image/svg+xml"})
			case asset.Name == FeedIcon && err == nil:
				m.Icons = append(m.Icons, manifestIcon{asset.Address, fmt.Sprintf("%dx%d", size.Width, size.Height), "image/png"})
			}
		}
		text, err := json.MarshalIndent(m, "", "  ")
		yield(output.File{
			Path: site.WebManifest,
			Key:  output.NewDigest("web manifest").Text(string(text)).Key(),
			Write: func(_ context.Context, w io.Writer) error {
				if err != nil {
					return err
				}
				_, err := w.Write(append(text, '\n'))
				return err
			},
		})
	}
}
