package generator

import (
	"errors"
	"strings"
	"testing"

	"ayna/generator/config"
	"ayna/generator/output"
)

func TestB18Hosts(t *testing.T) {
	sizes := map[string]struct {
		host, warning, failure string
		size                   output.Size
	}{
		"small":                {host: "github-pages", size: output.Size{Files: 90_000, Bytes: 799_999_999, FilesInOneDir: 90_000}},
		"near 1 GB":            {host: "github-pages", size: output.Size{Bytes: 800_000_000}, warning: "github-pages: 800 MB (at most 1000);"},
		"at 1 GB":              {host: "github-pages", size: output.Size{Bytes: 1_000_000_000}, warning: "1000 MB (at most 1000);"},
		"above 1 GB":           {host: "github-pages", size: output.Size{Bytes: 1_000_000_001}, failure: "github-pages: 1001 MB (at most 1000);"},
		"any number of bytes":  {host: "cloudflare-pages", size: output.Size{Files: 15_999, Bytes: 1 << 40}},
		"near 20,000 files":    {host: "cloudflare-pages", size: output.Size{Files: 16_000}, warning: "16000 files (at most 20000);"},
		"20,001 files":         {host: "cloudflare-pages", size: output.Size{Files: 20_001}, failure: "20001 files (at most 20000);"},
		"a file near 25 MiB":   {host: "cloudflare-pages", size: output.Size{LargestBytes: 20 << 20, Largest: "a.xml"}, warning: "20.0 MiB in a.xml (at most 25);"},
		"a file above 25 MiB":  {host: "cloudflare-pages", size: output.Size{LargestBytes: 26 << 20, Largest: "a.xml"}, failure: "26.0 MiB in a.xml (at most 25);"},
		"two limits":           {host: "cloudflare-pages", size: output.Size{Files: 20_001, LargestBytes: 26 << 20, Largest: "a.xml"}, failure: "20001 files (at most 20000), 26.0 MiB in a.xml (at most 25);"},
		"any number of files":  {host: "netlify", size: output.Size{Files: 1_000_000, FilesInOneDir: 43_199}},
		"near 54,000 pictures": {host: "netlify", size: output.Size{FilesInOneDir: 43_200, Fullest: "media"}, warning: "43200 files in the folder media (at most 54000);"},
		"54,001 pictures":      {host: "netlify", size: output.Size{FilesInOneDir: 54_001, Fullest: "media"}, failure: "54001 files in the folder media (at most 54000);"},
	}
	for name, test := range sizes {
		b := &build{Options: Options{Config: &config.Config{Host: test.host}}, report: new(Report)}
		err := b.fits(test.size)
		if test.failure == "" && err != nil || test.failure != "" && (!errors.Is(err, ErrHost) || !strings.Contains(err.Error(), test.failure)) {
			t.Errorf("%s: error %v, want %q", name, err, test.failure)
		}
		if (test.warning == "") != (b.report.Host == "") || !strings.Contains(b.report.Host, test.warning) {
			t.Errorf("%s: warning %q, want %q", name, b.report.Host, test.warning)
		}
	}
}
