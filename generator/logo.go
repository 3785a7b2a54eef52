package generator

import (
	"bytes"
	"context"
	"fmt"

	"ayna/fetch"
	"ayna/picture"
)

// maxLogo limits logo and icon, which every page loads, in bytes.
const maxLogo = 512 << 10

// Icon returns the icon of a site for the key icon: a PNG.
func Icon(ctx context.Context, o Options, address string) ([]byte, error) {
	const width = 256 // pixels; a PNG of them is below maxLogo
	content, err := fetch.ReadPicture(ctx, fetchOptions(o), address)
	if err != nil {
		return nil, err
	}
	return picture.PNG(content, width)
}

// Logo returns the logo of a site for the key logo, and the extension of its file. A small
// picture stays as it is; an SVG may hold scripts and is refused.
func Logo(ctx context.Context, o Options, address string) (content []byte, extension string, err error) {
	const most, width = 1200, 800 // pixels
	content, err = fetch.ReadPicture(ctx, fetchOptions(o), address)
	if err != nil {
		return nil, "", err
	}
	info, err := picture.ReadInfo(bytes.NewReader(content))
	if err != nil {
		return nil, "", fmt.Errorf("the answer is %w", err)
	}
	if len(content) <= maxLogo && info.Width <= most && info.Height <= most {
		return content, "." + info.Format, nil
	}
	content, err = picture.PNG(content, width)
	if err == nil && len(content) > maxLogo {
		err = fmt.Errorf("the picture has more than %d bytes", maxLogo)
	}
	return content, ".png", err
}
