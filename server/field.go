package server

// field describes a field of records.
type field struct {
	form    form
	meaning string
}

// form is what the value of a field is.
type form int

const (
	asText form = iota
	asTexts
	asFiles
	asNews    // articles in short
	asPersons // writers in short
)

// fieldsByName follow the API document, section 2.
var fieldsByName = map[string]field{
	"Id":           {asText, "The record's id."},
	"ContentType":  {asText, "Article, Column, NewsPhotoGallery, NewsVideo, Page, Folder or PersonContainer."},
	"CreatedDate":  {asText, "Date of creation, as it was received."},
	"Description":  {asText, "The spot (teaser), plain text."},
	"Editor":       {asText, "Who edited it, often an agency."},
	"Files":        {asFiles, "Pictures."},
	"Fullname":     {asText, "The writer's full name."},
	"ModifieDate":  {asText, "Date of the last change, as the API document spells it."},
	"ModifiedDate": {asText, "Date of the last change."},
	"PageNews":     {asNews, "The news assigned to the page."},
	"Path":         {asText, "The folder: /spor/futbol/."},
	"RelatedNews":  {asNews, "Related news."},
	"StartDate":    {asText, "Date of publication."},
	"Tags":         {asTexts, "Tags."},
	"Text":         {asText, "The full text, HTML as it was received. Do not trust it."},
	"Title":        {asText, "The headline."},
	"Url":          {asText, "Public address at the service that the record came from."},
	"WriterId":     {asText, "Id of the writer."},
	"Writers":      {asPersons, "Writers."},
}
