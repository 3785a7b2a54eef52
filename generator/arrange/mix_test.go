package arrange_test

import (
	"fmt"
	"runtime"
	"testing"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

func TestMixes(t *testing.T) {
	a := fakepaper.Archive(t,
		fakepaper.Fields(record.Writer, "w1", "Fullname", "Işıl Özden"),
		article("1", "/spor/", "Maç ertelendi", 1, "Tags", []string{"Sarsıntı"}),
		article("2", "/spor/futbol/", "Ilıca'da DEPREM tatbikatı", 2),
		article("3", "/sporcu/", "Sporcular", 3, "Description", "Isparta yolunda deprem"),
		article("4", "/gundem/", "Depremler", 4, "Tags", []string{"sarsıntı"}),
		article("5", "/gundem/", "Köşe", 5, "Writers", []any{map[string]any{"Id": "w1"}}, "Text", "<p>İzmir&#39;de <b>deprem</b>, ISPARTA&#39;da sel</p>"),
		of(record.Gallery, article("6", "/gundem/", "izmir", 6, "ContentType", "NewsPhotoGallery")),
	)
	all := "gallery/6 article/5 article/4 article/3 article/2 article/1"
	tests := map[string]struct {
		include, exclude []string
		want             string
	}{
		"a folder":                    {[]string{"/spor/"}, nil, "article/2 article/1"},
		"a tag":                       {[]string{"tag:SARSINTI"}, nil, "article/4 article/1"},
		"a writer":                    {[]string{"writer:w1"}, nil, "article/5"},
		"several":                     {[]string{"/sporcu/", "tag:sarsıntı", "writer:w1"}, nil, "article/5 article/4 article/3 article/1"},
		"but for":                     {[]string{"/spor/", "tag:sarsıntı"}, []string{"/spor/futbol/", "/gundem"}, "article/1"},
		"everything else":             {nil, []string{"tag:sarsıntı"}, "gallery/6 article/5 article/3 article/2"},
		"unknown":                     {[]string{"tag:yok", "writer:w9", "/yok/", "word:yok", "kind:page"}, nil, ""},
		"nothing is excluded":         {nil, []string{"tag:yok", "writer:w9", "/yok/", "word:yok", "kind:video"}, all},
		"nothing at all":              {nil, nil, all},
		"the root":                    {[]string{"/"}, nil, all},
		"a word, whole":               {[]string{"word:deprem"}, nil, "article/5 article/3 article/2"},
		"a word, not its beginning":   {[]string{"word:depre"}, nil, ""},
		"a word in capitals":          {[]string{"word:DEPREM"}, nil, "article/5 article/3 article/2"},
		"İ of i":                      {[]string{"word:İZMİR"}, nil, "gallery/6 article/5"},
		"i of İ":                      {[]string{"word:izmir"}, nil, "gallery/6 article/5"},
		"ı of I":                      {[]string{"word:ısparta"}, nil, "article/5 article/3"},
		"I of ı":                      {[]string{"word:ILICA"}, nil, "article/2"},
		"two words, both of them":     {[]string{"word:isparta deprem"}, nil, "article/5 article/3"},
		"two words, one of them":      {[]string{"word:ılıca", "word:köşe"}, nil, "article/5 article/2"},
		"a word in a folder or not":   {[]string{"word:deprem", "/spor/"}, nil, "article/5 article/3 article/2 article/1"},
		"an excluded word":            {[]string{"word:deprem"}, []string{"word:İzmir"}, "article/3 article/2"},
		"an excluded word, short":     {[]string{"word:deprem", "-word:İzmir"}, nil, "article/3 article/2"},
		"an excluded folder, short":   {[]string{"word:deprem", "-/spor/"}, nil, "article/5 article/3"},
		"an excluded tag, short":      {[]string{"-tag:Sarsıntı"}, nil, "gallery/6 article/5 article/3 article/2"},
		"an excluded writer and kind": {[]string{"-writer:w1", "-kind:gallery"}, nil, "article/4 article/3 article/2 article/1"},
		"both ways":                   {[]string{"/gundem/", "-kind:gallery"}, []string{"tag:sarsıntı"}, "article/5"},
		"a kind":                      {[]string{"kind:gallery"}, nil, "gallery/6"},
		"excluded wholly":             {[]string{"kind:gallery", "-word:izmir"}, nil, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			o.Mixes = []arrange.Mix{{Title: "Şu ve bu", Include: test.include, Exclude: test.exclude}}
			mix := arranged(t, a, o).Mixes[0]
			check(t, name, listed(mix.Items), test.want)
			if mix.Dir != "karma/su-ve-bu" || mix.Kind != site.OfMixes {
				t.Errorf("mix in %s, a list of %s", mix.Dir, mix.Kind)
			}
		})
	}
}

// TestMixesBounded: names of a mix take no memory for the items that they match, but
// for the moment in which the database names one.
func TestMixesBounded(t *testing.T) {
	const number = 1000
	var records []*archive.Record
	for i := range number {
		records = append(records, article(fmt.Sprint(i), "/spor/", "Deprem", i%60, "Tags", []string{"Deprem"}))
	}
	a, o := fakepaper.Archive(t, records...), options(t)
	allocated := func() uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		arranged(t, a, o)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	arranged(t, a, o)
	without := allocated()
	for range 32 {
		o.Mixes = append(o.Mixes, arrange.Mix{
			Title: fmt.Sprint(len(o.Mixes)), Include: []string{"/spor/", "tag:deprem", "word:deprem", "-kind:article"},
		})
	}
	arranged(t, a, o)
	if with := allocated(); with > without+32*number*40 {
		t.Errorf("%d bytes, and %d with 32 mixes", without, with)
	}
}
