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
		for _, d := range []struct {
			name    string
			sources []string
		}{
			{"script-src", s.Scripts}, {"style-src", s.Styles}, {"img-src", s.Images}, {"connect-src", s.Connect},
			{"font-src", s.Fonts}, {"frame-src", s.Frames}, {"media-src", s.Media}, {"form-action", s.FormsTo},
		} {
			if !yield(d.name, d.sources) {
				return
			}
		}
	}
}
