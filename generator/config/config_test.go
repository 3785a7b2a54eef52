package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/generator/config"
)

func load(t *testing.T, yaml string, env map[string]string) (*config.Config, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "site.yaml")
	if err := os.WriteFile(name, []byte(yaml), 0o644); err != nil {
		t.Fatal(err)
	}
	return config.Load(name, func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	})
}

const base = "base_url: https://ayna.example/haber\n"

func TestLoadFillsDefaults(t *testing.T) {
	c, err := load(t, base, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Widths, []int{320, 750, 1280}) {
		t.Errorf("widths: %v", c.Widths)
	}
	for _, without := range []string{"widths: []\n", "media: link\nwidths: [320]\n"} {
		if c, err := load(t, base+without, nil); err != nil || len(c.Widths) > 0 {
			t.Errorf("%s makes smaller pictures, %v", without, err)
		}
	}
	if c.BaseURL != "https://ayna.example/haber/" || c.Feeds.IDAuthority != "ayna.example" || c.Source.PerHour != 500 ||
		c.Source.Timeout != 30*time.Second || !c.Markdown || !c.Search.Texts || c.Location.String() != "Europe/Istanbul" {
		t.Errorf("%+v", c)
	}
}

func TestLoadReadsValues(t *testing.T) {
	c, err := load(t, base+`
title: ${NAME} Aynası
source: {url: "https://api.example", api_key: "${KEY}", timeout: 2m, per_second: 0}
searches: [deprem, {title: Kar ve kış, query: kar}]
search: {texts: false}
feeds: {formats: [json], of: [home, mixes], full_text: false, mixes: [{title: Deprem, include: ["tag:deprem", /spor/], exclude: ["writer:w1"]}, {title: Fay, include: ["word:fay hattı", "kind:gallery", -/spor/, "-word:İÇİN"]}]}
`, map[string]string{"NAME": "Körfez", "KEY": "  s3cret\n"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Title != "Körfez Aynası" || c.Source.Timeout != 2*time.Minute || c.Source.PerSecond != 0 || c.Feeds.FullText || c.Search.Texts {
		t.Errorf("%+v", c)
	}
	if len(c.Searches) != 2 || c.Searches[0].Query != "deprem" || c.Searches[1].Title != "Kar ve kış" || c.Searches[1].Query != "kar" {
		t.Errorf("searches: %+v", c.Searches)
	}
	if f := c.Feeds; len(f.Of) != 2 || len(f.Mixes) != 2 || f.Mixes[1].Include[0] != "word:fay hattı" || f.Mixes[1].Include[2] != "-/spor/" || f.Mixes[0].Title != "Deprem" || len(f.Mixes[0].Include) != 2 || f.Mixes[0].Exclude[0] != "writer:w1" {
		t.Errorf("feeds: %+v", f)
	}
	if string(c.Source.APIKey) != "s3cret" {
		t.Error("the key is not trimmed")
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if text := fmt.Sprintf(verb, c); strings.Contains(text, "s3cret") {
			t.Errorf("%s prints the key: %s", verb, text)
		}
	}
}

// Numbers where a text is due, and texts in any of their forms, are read as they
// are written.
func TestLoadReadsTexts(t *testing.T) {
	env := map[string]string{"AD": "Körfez", "PASSWORD": "parola", "KEY": "s3cret", "N": "7", "APPLICATION": "ayse:abcd efgh ijkl\n"}
	for name, test := range map[string]struct {
		yaml string
		got  func(*config.Config) any
		want any
	}{
		"number":                   {"title: 0500\n", func(c *config.Config) any { return c.Title }, "0500"},
		"fraction":                 {"title: 1.10\n", func(c *config.Config) any { return c.Title }, "1.10"},
		"negative number":          {"title: -007\n", func(c *config.Config) any { return c.Title }, "-007"},
		"truth":                    {"title: True\n", func(c *config.Config) any { return c.Title }, "True"},
		"year":                     {"feeds: {id_date: 2026}\n", func(c *config.Config) any { return c.Feeds.IDDate }, "2026"},
		"searches":                 {"searches: [0123, 1.10, 0x1F, 1_000]\n", queries, "0123 1.10 0x1F 1_000"},
		"queries":                  {"searches: [{query: 0123}, {query: \"${AD}\"}, \"${AD}\"]\n", queries, "0123 Körfez Körfez"},
		"order of a date":          {"source: {dates: mdy}\n", func(c *config.Config) any { return string(c.Source.Dates + c.DateOrder) }, "mdymdy"},
		"folded":                   {"title: >-\n  ${AD}\n  Haber\n", func(c *config.Config) any { return c.Title }, "Körfez Haber"},
		"literal":                  {"description: |-\n  ${AD}\n  Haber\n", func(c *config.Config) any { return c.Description }, "Körfez\nHaber"},
		"folded in a list":         {"searches:\n  - >-\n    ${AD}\n", queries, "Körfez"},
		"folded address":           {"archive: >-\n  postgres://user:${PASSWORD}@host/database\n", func(c *config.Config) any { return c.Archive }, "postgres://user:parola@host/database"},
		"folded key":               {"source:\n  api_key: >-\n    ${KEY}\n", func(c *config.Config) any { return string(c.Source.APIKey) }, "s3cret"},
		"password of WordPress":    {"source: {kind: wordpress, url: \"https://api.example\", api_key: \"${APPLICATION}\"}\n", func(c *config.Config) any { return string(c.Source.APIKey) }, "ayse:abcd efgh ijkl"},
		"number from outside":      {"source: {per_second: \"${N}\"}\n", func(c *config.Config) any { return c.Source.PerSecond }, 7},
		"the same value elsewhere": {"title: &ad ${AD}\ndescription: *ad\n", func(c *config.Config) any { return c.Title + c.Description }, "KörfezKörfez"},
		"without a value": {"source: {per_second: , timeout: ~}\ncontent:\n  # all\n", func(c *config.Config) any {
			return fmt.Sprint(c.Source.PerSecond, c.Source.Timeout, len(c.Content.Kinds))
		}, "5 30s 5"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := load(t, base+test.yaml, env)
			if err != nil {
				t.Fatal(err)
			}
			if got := test.got(c); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func queries(c *config.Config) any {
	var all []string
	for _, search := range c.Searches {
		all = append(all, search.Query)
	}
	return strings.Join(all, " ")
}

// A byte order mark, which editors put there, is no part of the file.
func TestByteOrderMark(t *testing.T) {
	if c, err := load(t, "\ufeff"+base, nil); err != nil || c.BaseURL != "https://ayna.example/haber/" {
		t.Errorf("%v", err)
	}
}

func TestServe(t *testing.T) {
	const yaml = base + `serve: {api_key: "${KEY}", per_second: 5, per_hour: 500, origins: [https://a.example, "http://localhost:3000"], hosts: [api.a.example], metrics: "127.0.0.1:9100"}`
	c, err := load(t, yaml, map[string]string{"KEY": "s3cret\n"})
	if err != nil {
		t.Fatal(err)
	}
	if s := c.Serve; string(s.APIKey) != "s3cret" || s.PerSecond != 5 || s.PerHour != 500 || len(s.Origins) != 2 || len(s.Hosts) != 1 || s.Metrics != "127.0.0.1:9100" {
		t.Errorf("%+v", s)
	}
	serves := func(key string) bool { return strings.HasPrefix(key, "serve.") }
	if err := c.Need(serves); err != nil {
		t.Error(err)
	}
	if c, err = load(t, yaml, nil); err != nil || c.Need(serves) == nil {
		t.Errorf("without the variable: %v", err)
	}
}

func TestLoadRefuses(t *testing.T) {
	for name, test := range map[string]struct{ yaml, want string }{
		"unknown key":                {base + "titel: x\n", "site.yaml:2:1: unknown key \"titel\""},
		"empty key":                  {base + "\"\": x\n", "site.yaml:2:1: unknown key \"\""},
		"unknown key inside":         {base + "source:\n  urk: x\n", "site.yaml:3:3: unknown key \"urk\""},
		"unknown search key":         {base + "searches:\n  - {query: a, titel: b}\n", "unknown key"},
		"wrong type":                 {base + "source:\n  page_size: viele\n", "site.yaml:3:14: source.page_size: write a whole number"},
		"fraction":                   {base + "source: {per_second: 0.5}\n", "site.yaml:2:22: source.per_second: write a whole number"},
		"larger fraction":            {base + "source: {per_second: 4.9}\n", "source.per_second: write a whole number"},
		"fraction as text":           {base + "source: {per_second: \"0.5\"}\n", "source.per_second: write a whole number"},
		"fraction from outside":      {base + "source: {per_second: \"${HALF}\"}\n", "source.per_second: write a whole number"},
		"fraction from elsewhere":    {base + "title: &half 0.5\nsource: {per_second: *half}\n", "source.per_second: write a whole number"},
		"fraction that is tagged":    {base + "source: {per_second: !!int 0.5}\n", "source.per_second: write a whole number"},
		"fraction of serve":          {base + "serve: {per_hour: 0.5}\n", "serve.per_hour: write a whole number"},
		"exponent":                   {base + "source: {per_hour: 5e2}\n", "source.per_hour: write a whole number"},
		"leading 0":                  {base + "source: {per_hour: 0500}\n", "site.yaml:2:20: source.per_hour: write a whole number"},
		"another base":               {base + "source: {per_hour: 0x1F4}\n", "source.per_hour: write a whole number"},
		"number in parts":            {base + "source: {per_hour: 5_000}\n", "source.per_hour: write a whole number"},
		"number without end":         {base + "source: {per_hour: 99999999999999999999}\n", "source.per_hour: write a whole number"},
		"width with leading 0":       {base + "widths: [0320]\n", "site.yaml:2:10: widths: write a whole number"},
		"navigation without a slash": {base + "navigation: [spor]\n", "site.yaml:2: navigation: \"spor\" is not a folder"},
		"navigation with the root":   {base + "navigation: [/]\n", "site.yaml:2: navigation: \"/\" is not a folder"},
		"navigation twice":           {base + "navigation: [/spor/, /spor/]\n", "site.yaml:2: navigation: /spor/ is listed twice"},
		"number for a list":          {base + "widths: 320\n", "site.yaml:2:9: widths: write a list"},
		"text for a list":            {base + "content: {include: /spor/}\n", "site.yaml:2:20: content.include: write a list"},
		"text for a group":           {base + "source: sample\n", "site.yaml:2:9: source: write keys and values below it"},
		"text for a mix":             {base + "feeds:\n  mixes:\n    - a\n", "site.yaml:4:7: feeds.mixes: write keys and values below it"},
		"list for a text":            {base + "title: [a]\n", "site.yaml:2:8: title: write a text"},
		"list for a query":           {base + "searches: [{query: [a]}]\n", "site.yaml:2:20: searches.query: write a text"},
		"text for a choice":          {base + "markdown: ja\n", "site.yaml:2:11: markdown: write true or false"},
		"only a comment":             {"# nothing\n", "base_url: is missing"},
		"key of another form":        {base + "source:\n  ? api_key\n  : s3cret\n", "site.yaml:3"},
		"name of no value":           {base + "title: *nobody\n", "site.yaml:2:8: title: no value before it has that name"},
		"windows-1254":               {base + "title: G\xfcnl\xfck \xdeehir\n", "site.yaml:2: is not UTF-8"},
		"UTF-16":                     {"\xff\xfeb\x00", "site.yaml:1: is not UTF-8"},
		"variable of windows-1254":   {base + "title: ${LATIN}\n", "site.yaml:2: title: ${LATIN} is not UTF-8"},
		"question mark in source":    {base + "source: {url: \"https://api.example/?\"}\n", "source.url: must have no"},
		"empty fragment in source":   {base + "source: {url: \"https://api.example/#\"}\n", "source.url: must have no"},
		"question mark in base":      {"base_url: https://ayna.example/?\n", "site.yaml:1: base_url: "},
		"folded key":                 {base + "source:\n  api_key: >-\n    s3cret\n", "site.yaml:3: source.api_key: the key itself"},
		"key from elsewhere":         {base + "title: &key s3cret\nsource: {api_key: *key}\n", "source.api_key: the key itself"},
		"whole number as duration":   {base + "source:\n  timeout: 5\n", "source.timeout: "},
		"wrong type on one line":     {base + "source: {concurrency: 4, page_size: x, url: sample}\n", "source.page_size: write a whole number"},
		"impossible id_date":         {base + "feeds:\n  id_date: 2026-13-45\n", "site.yaml:3: feeds.id_date: "},
		"wrong type of list":         {base + "searches: {a: [1]}\n", "site.yaml:2"},
		"bad syntax":                 {base + "title: [\n", "site.yaml:2"},
		"tab before a key":           {base + "source:\n\turl: sample\n", "site.yaml:3:1: a tab where YAML wants blanks"},
		"tab before a list":          {base + "searches:\n\t- a\n", "site.yaml:3:1: a tab where"},
		"tab in a block":             {base + "description: |\n\tx\n", "site.yaml:3:1: a tab where"},
		"tab in quotes":              {base + "title: 'a\n\tb'\n", "site.yaml:3:1: a tab where"},
		"tab in braces":              {base + "source: {url: sample,\tname: x}\n", "site.yaml:2:26: a tab where"},
		"tab below a key":            {base + "source:\n  api_key: s3cret\n\tname: x\n", "site.yaml:4:1: a tab where"},
		"bad syntax at a key":        {base + "source:\n  api_key: [s3cret\n", "site.yaml:3:12: "},
		"bad syntax below a key":     {base + "source:\n  api_key: s3cret\n   name: x\n", "site.yaml:3:12: "},
		"key twice":                  {base + "source: {api_key: s3cret, api_key: s3cret}\n", "site.yaml:2:27: "},
		"language":                   {base + "language: xx-klingon\n", "site.yaml:2: language: \"xx-klingon\" is not a language tag of BCP 47, such as tr, de or pt-BR; nearest: "},
		"words that are not there":   {base + "words: nowhere.yaml\n", "site.yaml:2: words: open nowhere.yaml: "},
		"logo of another type":       {base + "logo: logo.pdf\n", "site.yaml:2: logo: \"logo.pdf\" is not a picture"},
		"icon of another type":       {base + "icon: icon.svg\n", "site.yaml:2: icon: \"icon.svg\" is not a PNG"},
		"accent in words":            {base + "accent: red\n", "site.yaml:2: accent: \"red\" is not a colour"},
		"menu without a title":       {base + "menu: [{url: about.html}]\n", "site.yaml:2: menu: \"about.html\" has no title"},
		"menu with a script":         {base + "menu: [{title: x, url: \"javascript:alert(1)\"}]\n", "site.yaml:2: menu: \"javascript:alert(1)\" is neither"},
		"menu out of the site":       {base + "menu: [{title: x, url: ../x}]\n", "site.yaml:2: menu: \"../x\" is neither"},
		"menu on a host":             {base + "menu: [{title: x, url: //host.example/}]\n", "site.yaml:2: menu: "},
		"csp with two directives":    {base + "csp:\n  script-src: [\"https://a.example; default-src *\"]\n", "site.yaml:3: csp.script-src: "},
		"csp with a directive new":   {base + "csp: {default-src: [x]}\n", "unknown key \"default-src\"; nearest: "},
		"timezone":                   {base + "timezone: Mars/Olympus\n", "site.yaml:2: timezone: "},
		"no base_url":                {"title: x\n", "base_url: is missing"},
		"relative base_url":          {"base_url: /haber/\n", "site.yaml:1: base_url: "},
		"base_url without a scheme":  {"base_url: ayna.example\n", "write https://ayna.example/"},
		"http source":                {base + "source:\n  url: http://api.example\n", "site.yaml:3: source.url: is not encrypted"},
		"user in source":             {base + "source:\n  url: https://u:pw@api.example\n", "source.url: must have no user"},
		"key in source":              {base + "source:\n  url: https://api.example?apikey=s3cret\n", "source.url: must have no"},
		"literal key":                {base + "source:\n  api_key: s3cret\n", "site.yaml:3: source.api_key: the key itself"},
		"partly literal":             {base + "source:\n  api_key: s3cret${KEY}\n", "site.yaml:3: source.api_key: the key itself"},
		"number":                     {base + "source:\n  api_key: 12345\n", "site.yaml:3: source.api_key: the key itself"},
		"serve, the key itself":      {base + "serve:\n  api_key: s3cret\n", "site.yaml:3: serve.api_key: the key itself"},
		"feeds.of":                   {base + "feeds:\n  of: [home, tag]\n", "site.yaml:3: feeds.of: \"tag\" is not one of home, folders"},
		"a mix of nothing":           {base + "feeds:\n  mixes: [{title: a, include: [spor]}]\n", "site.yaml:3: feeds.mixes: \"spor\" is not a list"},
		"a mix of no tag":            {base + "feeds:\n  mixes: [{title: a, exclude: [\"tag:\"]}]\n", "is not a list"},
		"a mix of no kind":           {base + "feeds:\n  mixes: [{title: a, include: [\"kind:foto\"]}]\n", "site.yaml:3: feeds.mixes: \"kind:foto\" is not a kind; write kind:article"},
		"a mix of no word":           {base + "feeds:\n  mixes: [{title: a, include: [\"-word:?!\"]}]\n", "\"-word:?!\" has no word"},
		"a mix of another sort":      {base + "feeds:\n  mixes: [{title: a, include: [\"-folder:spor\"]}]\n", "\"-folder:spor\" is not a list; write /spor/, tag:deprem, writer:ID, word:deprem or kind:gallery"},
		"a mix with two hyphens":     {base + "feeds:\n  mixes: [{title: a, include: [--/spor/]}]\n", "is not a list"},
		"a mix excluding twice":      {base + "feeds:\n  mixes: [{title: a, exclude: [-/spor/]}]\n", "write it without the hyphen"},
		"a mix of many words":        {base + "feeds:\n  mixes: [{title: a, include: [" + strings.Repeat("\"word:a\", ", 33) + "]}]\n", "33 entries with word:, which is more than 32"},
		"a mix without a title":      {base + "feeds:\n  mixes: [{include: [/spor/]}]\n", "feeds.mixes: a mix needs a title"},
		"two mixes of one title":     {base + "feeds:\n  mixes: [{title: a}, {title: a}]\n", "feeds.mixes: two mixes are titled \"a\""},
		"feeds.of nothing":           {base + "feeds:\n  of: []\n", "site.yaml:3: feeds.of: names no list"},
		"serve.per_second":           {base + "serve:\n  per_second: -1\n", "site.yaml:3: serve.per_second: -1 is not between 0"},
		"serve.per_hour":             {base + "serve:\n  per_hour: 2000000000\n", "site.yaml:3: serve.per_hour: "},
		"any origin":                 {base + "serve:\n  origins: [\"*\"]\n", "site.yaml:3: serve.origins: "},
		"no origin":                  {base + "serve:\n  origins: [\"null\"]\n", "serve.origins: "},
		"any host":                   {base + "serve:\n  hosts: [\"*\"]\n", "site.yaml:3: serve.hosts: "},
		"host with a port":           {base + "serve:\n  hosts: [\"api.example:80\"]\n", "serve.hosts: "},
		"host with a scheme":         {base + "serve:\n  hosts: [http://api.example]\n", "serve.hosts: "},
		"host in capitals":           {base + "serve:\n  hosts: [Api.example]\n", "serve.hosts: "},
		"empty host":                 {base + "serve:\n  hosts: [\"\"]\n", "serve.hosts: "},
		"origin with a path":         {base + "serve:\n  origins: [https://a.example/]\n", "serve.origins: "},
		"serve.metrics":              {base + "serve:\n  metrics: 9100\n", "site.yaml:3: serve.metrics: "},
		"serve, an odd key":          {base + "serve:\n  api_key: ${ODD}\n", "site.yaml:3: serve.api_key: the key holds"},
		"variable not set":           {base + "title: ${NOBODY}\n", "site.yaml:2: title: ${NOBODY} is not set"},
		"max_records":                {base + "source:\n  max_records: -1\n", "site.yaml:3: source.max_records: -1 is not between"},
		"concurrency":                {base + "source:\n  concurrency: 0\n", "site.yaml:3: source.concurrency: 0 is not between"},
		"duration":                   {base + "source:\n  timeout: 30\n", "site.yaml:3"},
		"unknown kind of source":     {base + "source: {kind: gopher, url: \"https://a.example\"}\n", "source.kind: \"gopher\" is not one of"},
		"kind without an address":    {base + "source:\n  kind: ghost\n", "site.yaml:3: source.kind: ghost needs source.url"},
		"columns of another kind":    {base + "source: {kind: ghost, url: \"https://a.example\", columns: [a]}\n", "source.columns: needs source.kind: wordpress"},
		"types of a service":         {base + "source: {url: \"https://a.example\", types: [a]}\n", "source.types: needs source.kind: wordpress"},
		"password without a user":    {base + "source: {kind: wordpress, url: \"https://a.example\", api_key: \"${HALF}\"}\n", "source.api_key: has another form than user:application password"},
		"key of another kind":        {base + "source: {kind: ghost, url: \"https://a.example\", api_key: \"${HALF}\"}\n", "source.api_key: is no content API key"},
		"kind":                       {base + "content:\n  kinds: [articles]\n", "site.yaml:3: content.kinds: "},
		"folder":                     {base + "content:\n  include: [spor]\n", "site.yaml:3: content.include: "},
		"format":                     {base + "feeds:\n  formats: [rdf]\n", "site.yaml:3: feeds.formats: "},
		"format twice":               {base + "feeds:\n  formats: [rss, rss]\n", "feeds.formats: rss is listed twice"},
		"empty search":               {base + "searches: [\"\"]\n", "site.yaml:2: searches: "},
		"dots as a search":           {base + "searches: [\"..\"]\n", "site.yaml:2: searches: "},
		"choice":                     {base + "media: maybe\n", "site.yaml:2: media: "},
		"widths too many":            {base + "widths: [20, 30, 40, 50, 60, 70, 80, 90, 99]\n", "site.yaml:2: widths: 9 widths"},
		"widths too small":           {base + "widths: [15]\n", "site.yaml:2: widths: 15 is not between 16 and 4096"},
		"widths too large":           {base + "widths: [320, 5000]\n", "site.yaml:2: widths: 5000 is not between"},
		"widths descending":          {base + "widths: [640, 320]\n", "site.yaml:2: widths: 320 follows 640"},
		"width twice":                {base + "widths: [320, 320]\n", "site.yaml:2: widths: 320 follows 320"},
		"order of a date":            {base + "source:\n  dates: ymd\n", "site.yaml:3: source.dates: \"ymd\" is not one of dmy, mdy"},
		"unknown compression":        {base + "compress: [brotli]\n", "site.yaml:2: compress: \"brotli\" is not one of gzip, zstd"},
		"compression twice":          {base + "compress: [gzip, gzip]\n", "site.yaml:2: compress: gzip is listed twice"},
		"id_date":                    {base + "feeds:\n  id_date: today\n", "site.yaml:3: feeds.id_date: "},
		"two documents":              {base + "---\ntitle: x\n", "more than one"},
		"not a mapping":              {"- a\n- b\n", "site.yaml"},
		"same key twice":             {base + "title: a\ntitle: b\n", "site.yaml:3"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := load(t, test.yaml, map[string]string{"ODD": "kötü anahtar", "HALF": "0.5", "LATIN": "G\xfcnl\xfck"})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q in it", err, test.want)
			}
			if err != nil && strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error shows the key: %v", err)
			}
			if err != nil && strings.Contains(err.Error(), "u:pw") {
				t.Errorf("the error shows the password: %v", err)
			}
		})
	}
}

// One error holds all faults, each once and with its line, and nothing that only follows
// from them.
func TestAllFaults(t *testing.T) {
	c, err := load(t, `base_url: [a]
titel: x
language: xx-klingon
source: {per_second: 0.5, per_hour: -1, url: "http://api.example", colour: red}
searches: [{query: [a]}, ""]
feeds: {formats: [rdf, rdf], mixes: a}
archive: ${NOBODY}
metrics_file: figures.prom
output: site
`, nil)
	var got []string
	for line := range strings.Lines(err.Error()) {
		place, _, _ := strings.Cut(line[strings.Index(line, "site.yaml:")+len("site.yaml:"):], ": ")
		got = append(got, place)
	}
	want := []string{"1:11", "2:1", "4:22", "4:68", "5:20", "6:37", "7", "8:1", "3", "4", "4", "6"}
	if !slices.Equal(got, want) {
		t.Errorf("faults at %q, want %q: %v", got, want, err)
	}
	if c == nil || c.Output != "site" || c.Source.PerSecond != 5 {
		t.Errorf("what is right is not read: %+v", c)
	}
}

func TestTheRepositorysOwnFile(t *testing.T) {
	c, err := config.Load("../../site.yaml", func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	if c.Source.URL != config.Sample {
		t.Errorf("source.url is %q; a fresh clone must need no network", c.Source.URL)
	}
}
