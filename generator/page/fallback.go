package page

import (
	"context"
	"fmt"
	"html/template"
	"io"
	"strings"

	"ayna/generator/site"
	"ayna/generator/story"
)

// fallbackPage shows an item whose page cannot be made: what people would miss,
// and nothing else that may fail. No theme changes it.
const fallbackPage = `<!DOCTYPE html>
<html lang="{{.Language}}" dir="ltr">
<head>
<meta charset="utf-8">
<title>{{.Title}} – {{.Site}}</title>
{{- with .Canonical}}
<link rel="canonical" href="{{.}}">
{{- end}}
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self' file:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{{- if .Hidden}}
<meta name="robots" content="noindex">
{{- end}}
{{- with .Record}}
<meta name="ayna-record" content="{{.}}">
{{- end}}
{{- range .Styles}}
<link rel="stylesheet" href="{{.}}">
{{- end}}
</head>
<body>
<header class="top">
<p class="name"><a href="{{.Home.Href}}">{{.Site}}</a></p>
</header>
<main id="main">
<article class="item">
<header>
<h1 dir="auto">{{.Headline}}</h1>
{{- with .Spot}}
<p class="spot" dir="auto">{{.}}</p>
{{- end}}
</header>
<p class="notice">{{.Notice}}</p>
{{- with .Paragraphs}}
<div class="text" dir="auto">
{{- range .}}
<p>{{.}}</p>
{{- end}}
</div>
{{- end}}
{{- with .Original}}
<p class="original"><a href="{{.}}">{{$.Words.ReadOriginal}}</a></p>
{{- end}}
</article>
</main>
</body>
</html>
`

type fallbackView struct {
	frame
	Hidden         bool // search engines are asked to stay away
	Styles         []string
	Headline, Spot string
	Notice         string
	Paragraphs     []string // of the text
	Original       string   // address at the source, "" for none
}

// fallback makes what stands in for the page of an item.
func (r *Renderer) fallback(item site.Item) func(context.Context, io.Writer) error {
	return func(ctx context.Context, w io.Writer) error {
		v, err := r.fallbackView(ctx, item)
		if err != nil {
			return fmt.Errorf("plain page of %s %s: %w", item.Kind(), item.ID(), err)
		}
		t, err := template.New("plain page").Parse(fallbackPage)
		if err != nil {
			return err
		}
		return t.Execute(w, v)
	}
}

func (r *Renderer) fallbackView(ctx context.Context, item site.Item) (*fallbackView, error) {
	s, err := r.plainStory(ctx, item)
	if err != nil {
		return nil, err
	}
	v := &fallbackView{
		frame: r.frame(item.Address(), s.Title, s.Spot), Hidden: r.site.Robots == "deny",
		Headline: s.Title, Spot: s.Spot, Notice: r.site.Words.Plain, Original: s.Source,
	}
	r.identify(&v.frame, s)
	for _, asset := range r.options.Assets {
		if asset.isStyle() {
			v.Styles = append(v.Styles, v.href(asset.Address))
		}
	}
	for line := range strings.Lines(s.Body.Text()) {
		if line = strings.TrimSpace(line); line != "" {
			v.Paragraphs = append(v.Paragraphs, line)
		}
	}
	return v, nil
}

// plainStory reads an item's story, or what lists show of it if that is all
// that can be read.
func (r *Renderer) plainStory(ctx context.Context, item site.Item) (*story.Story, error) {
	s, err := r.reader.Story(ctx, item)
	if err == nil {
		return s, nil
	}
	teasers, err := r.reader.Teasers(ctx, []site.Item{item})
	if err != nil {
		return nil, err
	}
	return &story.Story{Item: item, Title: teasers[0].Title, Spot: teasers[0].Spot}, nil
}
