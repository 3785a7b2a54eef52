package site

import "iter"

// Sources are what pages may load beyond the site's own files, by directive of the
// Content-Security-Policy.
type Sources struct {
	Scripts []string `yaml:"script-src"`
	Styles  []string `yaml:"style-src"`
	Images  []string `yaml:"img-src"`
	Connect []string `yaml:"connect-src"`
	Fonts   []string `yaml:"font-src"`
	Frames  []string `yaml:"frame-src"`
	Media   []string `yaml:"media-src"`
	FormsTo []string `yaml:"form-action"`
}

// All yields the directives and their sources, in a fixed order.
func (s *Sources) All() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		_ = yield("script-src", s.Scripts) && yield("style-src", s.Styles) && yield("img-src", s.Images) && yield("connect-src", s.Connect) &&
			yield("font-src", s.Fonts) && yield("frame-src", s.Frames) && yield("media-src", s.Media) && yield("form-action", s.FormsTo)
	}
}
