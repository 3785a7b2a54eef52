package config_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"ayna/generator/config"
)

// A new site.yaml names at most sixty folders, and of the source's look what there is.
func TestWrite(t *testing.T) {
	outline := func(folders int, logo string) config.Outline {
		o := config.Outline{URL: "https://api.example", Title: "Deneme", BaseURL: "https://ayna.example/", Language: "tr", Timezone: "UTC"}
		o.Folders, o.Look.Logo = slices.Repeat([]string{"/spor/"}, folders), logo
		return o
	}
	for name, test := range map[string]struct {
		outline     config.Outline
		has, hasNot string
	}{
		"no folders":       {outline(0, ""), "include: null", "The source has"},
		"sixty folders":    {outline(60, ""), "# /spor/ /spor/ /spor/ /spor/\n", " more"},
		"sixty-one":        {outline(61, ""), "# and 1 more", "and 2"},
		"without a logo":   {outline(1, ""), "/spor/", "logo:"},
		"without an order": {outline(1, ""), "/spor/", "dates:"},
		"with a logo":      {outline(1, "logo.png"), "\nlogo: \"logo.png\"\n", "icon:"},
		"day first": {func() config.Outline {
			o := outline(0, "")
			o.Dates, o.DatesReason = "dmy", "the source\nhas 30/10/2026"
			return o
		}(), "  # Day and month in dates such as 03/04/2026: the source has 30/10/2026.\n  dates: dmy\n", "mdy"},
		"on several lines": {outline(1, "a\nb"), `logo: "a\nb"`, "\nb\""},
	} {
		text := string(config.Write(test.outline))
		if !strings.Contains(text, test.has) || strings.Contains(text, test.hasNot) {
			t.Errorf("%s: want %q and not %q in\n%s", name, test.has, test.hasNot, text)
		}
	}
}

// The digest of a configuration does not depend on passwords, which could be guessed.
func TestDigest(t *testing.T) {
	digest := func(archive string) string {
		t.Helper()
		c, err := load(t, base+"archive: "+archive+"\n", map[string]string{"ONE": "bir", "TWO": "iki"})
		if err != nil {
			t.Fatal(err)
		}
		sum, err := c.Digest()
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	one, two := digest(`"postgres://ayna:${ONE}@db.example/ayna"`), digest(`"postgres://ayna:${TWO}@db.example/ayna"`)
	if one != two {
		t.Error("the digest depends on the password")
	}
	if other := digest(`"postgres://ayna:${ONE}@db.example/other"`); other == one {
		t.Error("the digest does not depend on the database")
	}
}

func TestPortable(t *testing.T) {
	t.Setenv("PORTABLE_KEY", "0123456789abcdef")
	t.Setenv("PORTABLE_AGENT", "Mirror")
	const original = `# of /srv/secret
title: Deneme   # in /srv/secret
base_url: https://ayna.example/
source:
  url: https://api.example/
  user_agent: ${PORTABLE_AGENT}
serve: {api_key: "${PORTABLE_KEY}", per_second: 3}
archive: /srv/secret/archive.db
templates: /srv/secret/theme
notify:
  url: https://monitor.example/0123456789abcdef
searches:
  - zeytin
  - {title: Deniz, query: "deniz # körfez"}
`
	c, err := config.Parse("site.yaml", []byte(original), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.Portable("copy.db")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"secret", "0123456789abcdef", "#  in"} {
		if strings.Contains(string(text), word) {
			t.Errorf("it holds %q:\n%s", word, text)
		}
	}
	c, err = config.Parse("site.yaml", text, os.LookupEnv)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if c.Title != "Deneme" || c.Archive != "copy.db" || c.Source.URL != "https://api.example/" || c.Source.UserAgent != "Mirror" || c.Serve.PerSecond != 3 || len(c.Searches) != 2 || c.Searches[1].Query != "deniz # körfez" {
		t.Errorf("%+v from\n%s", c, text)
	}
}
