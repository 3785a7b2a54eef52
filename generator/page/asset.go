package page

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"

	"ayna/generator/output"
	"ayna/generator/site"
)

// Asset is a file that pages share. Its address holds a digest of its content,
// so that a browser may keep it for ever.
type Asset struct {
	Name    string // "site.css"
	Address string // "assets/site.<digest>.css"
	Data    []byte
}

// Assets reads the assets of a folder, in the order of their names. Pages link
// every style sheet among them, site.js, icon.svg and icon.png.
func Assets(fsys fs.FS) ([]Asset, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("read the assets: %w", err)
	}
	var assets []Asset
	for _, entry := range entries {
		if !entry.Type().IsRegular() {
			continue
		}
		data, err := fs.ReadFile(fsys, entry.Name())
		if err != nil {
			return nil, fmt.Errorf("read the assets: %w", err)
		}
		assets = append(assets, Asset{entry.Name(), site.AssetAddress(entry.Name(), data), data})
	}
	return assets, nil
}

// The assets that every page has a use for.
const (
	iconName   = "icon.svg" // the site in a browser's tab
	scriptName = "site.js"
)

func (r *Renderer) assets() iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		for _, asset := range r.options.Assets {
			file := output.File{
				Path: asset.Address,
				Key:  output.NewDigest("asset").Text(asset.Address).Key(),
				Write: func(_ context.Context, w io.Writer) error {
					_, err := w.Write(asset.Data)
					return err
				},
			}
			if !yield(file) {
				return
			}
		}
	}
}

// isStyle reports whether pages link the asset as a style sheet.
func (a Asset) isStyle() bool { return path.Ext(a.Name) == ".css" && a.Name != FeedStyle }

// Assets that feeds refer to.
const (
	FeedStyle = "feed.css"
	FeedIcon  = "icon.png" // RSS 2.0 knows no SVG, nor do some telephones
)

// AddressOf returns the address of the asset of a name, "" if there is none.
func AddressOf(assets []Asset, name string) string {
	for _, asset := range assets {
		if asset.Name == name {
			return asset.Address
		}
	}
	return ""
}
