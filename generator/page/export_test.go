package page

import (
	"golang.org/x/text/language"
	"reflect"
	"slices"
)

// vocabulary is what templates are given, by the heading of docs/themes.md that
// explains it.
var vocabulary = map[string]any{
	"Every page": pageView{}, "The layout": layoutView{}, "Items": itemView{},
	"article.html": articleView{}, "column.html": columnView{}, "gallery.html": galleryView{}, "video.html": videoView{},
	"home.html": homeView{}, "list.html": listView{}, "index.html": indexView{}, "search.html": searchView{},
	"text.html": textView{}, "corrections.html": correctionsView{}, "numbers.html": numbersView{}, "subscribe.html": subscribeView{},
	"moved.html": movedView{}, "notfound.html": notFoundView{},
	"A link": link{}, "A group of links": linkGroup{}, "A feed": feed{}, "How to follow": follow{}, "A moment": moment{}, "A picture": picture{}, "A teaser": teaser{},
	"A share": share{}, "A section": section{}, "A column": column{}, "A portrait": portrait{}, "Pictures beside a text": figures{}, "A top folder": branch{}, "A letter": letter{}, "A writer": person{}, "A year": year{}, "A period": period{}, "A day": day{}, "A bar": bar{}, "A year of bars": yearBar{}, "A column of a month": monthBar{}, "A group of bars": barGroup{},
	"A kind":       kindOption{},
	"A correction": correction{}, "A changed field": changedField{}, "A run of words": changedRun{}, "A comment": commentView{},
	"A group of feeds": feedGroup{}, "A row of feeds": feedRow{}, "A line of feeds": feedLine{},
}

// Views returns the names of the views.
func Views() []string {
	var names []string
	for name := range views {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Vocabulary returns for each heading the names that it has to explain: fields
// and methods that are not those of a part which has a heading of its own.
func Vocabulary() map[string][]string {
	names := make(map[string][]string, len(vocabulary))
	for heading, value := range vocabulary {
		t := reflect.TypeOf(value)
		names[heading] = []string{}
		inherited := make(map[string]bool)
		for i := range t.NumField() {
			field := t.Field(i)
			if field.Anonymous {
				for m := range field.Type.NumMethod() {
					inherited[field.Type.Method(m).Name] = true
				}
			} else if field.IsExported() {
				names[heading] = append(names[heading], field.Name)
			}
		}
		for m := range t.NumMethod() {
			if name := t.Method(m).Name; !inherited[name] {
				names[heading] = append(names[heading], name)
			}
		}
		slices.Sort(names[heading])
	}
	return names
}

// Fallbacks says of each of the renderer's templates why it is not compiled.
func (r *Renderer) Fallbacks() map[string]error {
	why := make(map[string]error)
	for view, t := range r.templates {
		why[view] = t.NotCompiled()
		for name, part := range t.subtemplates {
			why["part "+name] = part.NotCompiled()
		}
	}
	return why
}

// Fit is the class of a heading.
func Fit(heading string) string { return fit(heading) }

// Initials stand for a writer's portrait.
func Initials(name, tag string) string {
	return (&Renderer{language: language.Make(tag)}).initials(name)
}
