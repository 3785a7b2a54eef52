package generator

import (
	"errors"
	"fmt"
	"strings"

	"ayna/generator/config"
	"ayna/generator/output"
)

// ErrHost is returned if the site exceeds a limit of the configured host. Nothing
// was published.
var ErrHost = errors.New("the site does not fit its host and was not published")

// limits are what a host accepts, as its documentation says; 0 is no limit.
type limits struct {
	files, filesInOneDir int
	bytes, fileBytes     int64
}

// hosts has the limits by the value of the key host.
var hosts = map[string]limits{
	"github-pages":     {bytes: 1_000_000_000},
	"cloudflare-pages": {files: 20_000, fileBytes: 25 << 20},
	"netlify":          {filesInOneDir: 54_000},
}

// levers are the settings that make a site smaller, those that cost readers least
// first.
const levers = "to make it smaller, write in site.yaml compress: [] (the host compresses by itself), fewer widths, markdown: false, fewer feeds.of (months and tags are the most) or feeds.formats, search.texts: false, or media: link"

// fits compares the size of the next site with the limits of the configured host. The
// report has the warning.
func (b *build) fits(s output.Size) (err error) {
	b.report.Host, err = checkLimits(b.Config.Host, s)
	return err
}

// CheckHost compares the size of the published site with the limits of the configured
// host, as a build does before it publishes.
func CheckHost(c *config.Config) (warning string, err error) {
	if c.Host == "none" {
		return "", nil
	}
	size, err := output.Measure(c.Output)
	if err != nil {
		return "", err
	}
	return checkLimits(c.Host, size)
}

// checkLimits returns a warning from 80 % of a limit on, and an error above it.
func checkLimits(host string, s output.Size) (warning string, err error) {
	l := hosts[host]
	const mb, mib = 1_000_000, 1 << 20
	var over, near []string
	for _, c := range []struct {
		is, most int64
		figures  string
	}{
		{int64(s.Files), int64(l.files), fmt.Sprintf("%d files (at most %d)", s.Files, l.files)},
		{s.Bytes, l.bytes, fmt.Sprintf("%d MB (at most %d)", (s.Bytes+mb-1)/mb, l.bytes/mb)},
		{s.LargestBytes, l.fileBytes, fmt.Sprintf("%.1f MiB in %s (at most %d)", float64(s.LargestBytes)/mib, s.Largest, l.fileBytes/mib)},
		{int64(s.FilesInOneDir), int64(l.filesInOneDir), fmt.Sprintf("%d files in the folder %s (at most %d)", s.FilesInOneDir, s.Fullest, l.filesInOneDir)},
	} {
		switch {
		case c.most == 0:
		case c.is > c.most:
			over = append(over, c.figures)
		case c.is*10 >= c.most*8:
			near = append(near, c.figures)
		}
	}
	if len(over) > 0 {
		return "", fmt.Errorf("%w: %s: %s; %s", ErrHost, host, strings.Join(over, ", "), levers)
	}
	if len(near) > 0 {
		warning = fmt.Sprintf("the site is near a limit of %s: %s; %s", host, strings.Join(near, ", "), levers)
	}
	return warning, nil
}
