package check

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// xml looks at a feed, a sitemap or an OPML file: whether it is well-formed, and
// whether the files of the site that it names are there.
func (c *checker) xml(name string, content []byte) []Flaw {
	var flaws []Flaw
	d := xml.NewDecoder(bytes.NewReader(content))
	element := ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return flaws
		}
		if err != nil {
			return append(flaws, Flaw{Path: name, What: "it is no well-formed XML: " + err.Error()})
		}
		switch t := token.(type) {
		case xml.StartElement:
			element = t.Name.Local
			flaws = append(flaws, c.attributes(name, t.Attr)...)
		case xml.EndElement:
			element = ""
		case xml.CharData:
			switch element {
			case "link", "loc", "url":
				flaws = append(flaws, c.named(name, strings.TrimSpace(string(t)))...)
			}
		}
	}
}

// attributes looks at the addresses of the site in the attributes of an element.
func (c *checker) attributes(name string, list []xml.Attr) []Flaw {
	var flaws []Flaw
	for _, a := range list {
		if a.Name.Local == "rel" && (a.Value == "via" || a.Value == "related") { // the source's
			return nil
		}
		switch a.Name.Local {
		case "href", "url", "xmlUrl", "htmlUrl":
			flaws = append(flaws, c.named(name, a.Value)...)
		}
	}
	return flaws
}

// json looks at a JSON file: whether it can be read, and, of a feed, whether the
// files of the site that it names are there.
func (c *checker) json(name string, content []byte) []Flaw {
	var feed struct {
		Home  string `json:"home_page_url"`
		Self  string `json:"feed_url"`
		Next  string `json:"next_url"`
		Items []struct {
			URL string `json:"url"`
		} `json:"items"`
	}
	if !json.Valid(content) {
		return []Flaw{{Path: name, What: "it is no JSON"}}
	}
	if json.Unmarshal(content, &feed) != nil { // JSON of another shape
		return nil
	}
	var flaws []Flaw
	for _, address := range []string{feed.Home, feed.Self, feed.Next} {
		flaws = append(flaws, c.named(name, address)...)
	}
	for _, item := range feed.Items {
		flaws = append(flaws, c.named(name, item.URL)...)
	}
	return flaws
}

// named looks whether a whole address of the site is that of a file.
func (c *checker) named(name, address string) []Flaw {
	if !strings.HasPrefix(address, c.BaseURL) {
		return nil
	}
	if to, _, ours := c.target(name, address, true); !ours || c.has(to) {
		return nil
	}
	return []Flaw{{Path: name, What: fmt.Sprintf("it names %s, which is not there", address)}}
}

// unlisted looks for files that are ours, and that the manifest does not list:
// what a build left behind, and pages that it made.
func (c *checker) unlisted() error {
	return fs.WalkDir(c.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || c.known(name) {
			return err
		}
		ours := strings.HasPrefix(d.Name(), ".ayna-") && name != ".ayna-manifest"
		if !ours && strings.HasSuffix(name, ".html") && d.Type().IsRegular() {
			if ours, err = c.isOurs(name); err != nil {
				return err
			}
		}
		if !ours {
			return nil
		}
		return c.report([]Flaw{{Path: name, What: "it is of this program and not in the manifest; remove it"}})
	})
}

// known reports whether the manifest lists a file.
func (c *checker) known(name string) bool {
	_, found := slices.BinarySearch(c.files, c.digest(name))
	return found
}

// isOurs reports whether a page says that this program made it.
func (c *checker) isOurs(name string) (bool, error) {
	f, err := c.root.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 8<<10))
	return bytes.Contains(head, []byte(`<meta name="generator" content="ayna">`)), err
}
