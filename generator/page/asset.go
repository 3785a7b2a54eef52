package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"ayna/generator/output"
	"ayna/generator/site"
)

// Asset is a file that pages share. Its address contains a digest of its content, so
// that browsers may cache it forever.
type Asset struct {
	Name    string // "site.css"
	Address string // "assets/site.<digest>.css"
	Data    []byte
}

// Assets that every page links.
const (
	iconName   = "icon.svg" // in a browser's tab
	scriptName = "site.js"
	styleName  = "site.css"
)

// Assets that feeds refer to.
const (
	FeedStyle = "feed.css"
	FeedIcon  = "icon.png" // feed readers and some phones do not show SVG
)

// Assets reads the assets of a folder, in the order of their names, and adds the logo, the
// icon and the accent colour of the owner. Pages link every style sheet among them, site.js,
// the typeface, icon.svg and icon.png. Empty files are left out: one in a theme removes the
// built-in file of its name.
func Assets(fsys fs.FS, branding Branding) ([]Asset, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("read the assets: %w", err)
	}
	var assets, styles []Asset
	for _, entry := range entries {
		isIcon := entry.Name() == iconName || entry.Name() == FeedIcon
		if !entry.Type().IsRegular() || isIcon && branding.Icon.Name != "" {
			continue
		}
		data, err := fs.ReadFile(fsys, entry.Name())
		if err != nil {
			return nil, fmt.Errorf("read the assets: %w", err)
		}
		switch asset := (Asset{entry.Name(), site.AssetAddress(entry.Name(), data), data}); {
		case len(data) == 0:
		case path.Ext(entry.Name()) == ".css":
			styles = append(styles, asset)
		default:
			assets = append(assets, asset)
		}
	}
	for _, own := range []Asset{branding.Logo, branding.Icon} {
		if own.Name != "" {
			own.Address = site.AssetAddress(own.Name, own.Data)
			assets = append(assets, own)
		}
	}
	// Style sheets name other assets as url(name): they are published side by side.
	var published []string
	for _, asset := range assets {
		published = append(published, "url("+asset.Name+")", "url("+path.Base(asset.Address)+")")
	}
	names := strings.NewReplacer(published...)
	for _, style := range styles {
		if style.Name == styleName {
			style.Data = commentLines.ReplaceAll([]byte(withoutFaces(string(style.Data), assets)), nil)
		}
		style.Data = []byte(names.Replace(string(style.Data)))
		if style.Name == FeedStyle {
			style.Data = bytes.ReplaceAll(style.Data, []byte("@note@"), []byte(inCSS.Replace(branding.Note)))
		}
		if style.Name == styleName && branding.Accent != "" {
			style.Data = append(style.Data, accentRule(branding.Accent)...)
		}
		style.Address = site.AssetAddress(style.Name, style.Data)
		assets = append(assets, style)
	}
	slices.SortFunc(assets, func(a, b Asset) int { return strings.Compare(a.Name, b.Name) })
	return assets, nil
}

// commentLines are comments that have lines of their own, a tenth of what readers would load. Those
// that begin with an exclamation mark stay, as usual: they name authors.
var commentLines = regexp.MustCompile(`(?m)^[ \t]*/\*[^!*][^*]*\*/\n`)

// AddressOf returns the address of the asset with a name, or "".
func AddressOf(assets []Asset, name string) string {
	for _, asset := range assets {
		if asset.Name == name {
			return asset.Address
		}
	}
	return ""
}

// asset returns a link to the asset with a name, or "".
func (r *Renderer) asset(name string, href func(string) string) string {
	if address := AddressOf(r.options.Assets, name); address != "" {
		return href(address)
	}
	return ""
}

// styles returns links to the style sheets of pages.
func (r *Renderer) styles(href func(string) string) []string {
	var styles []string
	for _, asset := range r.options.Assets {
		if path.Ext(asset.Name) == ".css" && asset.Name != FeedStyle {
			styles = append(styles, href(asset.Address))
		}
	}
	return styles
}

func (r *Renderer) assets() []output.File {
	var files []output.File
	for _, asset := range r.options.Assets {
		files = append(files, staticFile(asset.Address, asset.Data))
	}
	return files
}

// staticFile returns a file with the given content.
func staticFile(address string, content []byte) output.File {
	return output.File{
		Path: address,
		Write: func(_ context.Context, w io.Writer) error {
			_, err := w.Write(content)
			return err
		},
	}
}

// webManifest lets phones put the site on the home screen (W3C, Web Application
// Manifest). Its addresses are relative to the manifest.
type webManifest struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Language    string         `json:"lang"`
	Direction   string         `json:"dir"`
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

// backgroundColor is the background of the built-in style sheet.
const backgroundColor = "#fcfbf8"

func (r *Renderer) webManifest() output.File {
	m := webManifest{
		Name: r.site.Title, Description: r.site.Description, Language: r.site.Language, Direction: site.Direction(r.site.Language),
		Start: "index.html", Display: "minimal-ui", Background: backgroundColor, Icons: []manifestIcon{},
	}
	for _, asset := range r.options.Assets {
		switch size, err := png.DecodeConfig(bytes.NewReader(asset.Data)); {
		case asset.Name == iconName:
			m.Icons = append(m.Icons, manifestIcon{asset.Address, "any", "image/svg+xml"})
		case asset.Name == FeedIcon && err == nil:
			m.Icons = append(m.Icons, manifestIcon{asset.Address, fmt.Sprintf("%dx%d", size.Width, size.Height), "image/png"})
		}
	}
	text, _ := json.MarshalIndent(m, "", "  ") // strings alone never fail
	return staticFile(site.WebManifest, append(text, '\n'))
}
