package client

import (
	"context"
	"time"
)

// Traits describe how a source answers, for a program that mirrors it.
type Traits struct {
	Listings []Listing
	// Sweep is the time between two readings of a whole list, which find what no date shows;
	// 0 is each run.
	Sweep time.Duration
	// Trusted sources show every change in list records, and an id missing from the
	// answer of Records proves a deletion.
	Trusted bool
	// Brief list records lack folders: a folder that moves shows in single records alone.
	Brief bool
	// Bulk is the most ids in one call of Records, 0 if the source has no Records.
	Bulk int
}

// A Listing is a list operation.
type Listing struct {
	Group Group   // of the operation
	Holds []Group // of its records; the first one is that of records without a type
	Dated bool    // [Query.Since] may work
}

// A Site describes a source. All fields but Date may be empty.
type Site struct {
	ID          string // names the paper wherever it moves; "" if nothing does
	Title       string
	Description string
	Zone        string // of local dates: a name, not checked
	ZoneNote    string // how the site's own zone differs from Zone
	Language    string // as in "tr-TR"
	Icon, Logo  string // addresses of pictures
	Accent      string // color, as in "#1a2b3c"
	Menu        []MenuItem
	Date        time.Time // of the answer
}

// A MenuItem is a link of a paper's own menu.
type MenuItem struct{ Title, URL string }

// Traits returns the traits of the Read API: a list for each group, of which articles,
// galleries and videos may have a filter by date.
func (c *Client) Traits() Traits {
	t := Traits{Sweep: 24 * time.Hour}
	for _, group := range []Group{Articles, Columns, Galleries, Videos, Pages, Writers, Paths} {
		dated := group == Articles || group == Galleries || group == Videos
		t.Listings = append(t.Listings, Listing{Group: group, Holds: []Group{group}, Dated: dated})
	}
	return t
}

// Site reads the service's clock.
func (c *Client) Site(ctx context.Context) (Site, error) {
	date, err := c.Date(ctx)
	return Site{Date: date}, err
}

const placeOf = "place of the id in " // and the group

// Found returns what the answers so far have shown of the service, by question. A later
// client begins with it, see [PlacesIn].
func (c *Client) Found() map[string]string {
	found := make(map[string]string)
	for group := range c.places {
		if place := c.Place(group); place != "" {
			found[placeOf+string(group)] = string(place)
		}
	}
	return found
}

// PlacesIn returns [Config.Places] from what [Client.Found] returned.
func PlacesIn(found map[string]string) map[Group]Place {
	places := make(map[Group]Place)
	for group := range newPlaces(nil) {
		places[group] = Place(found[placeOf+string(group)])
	}
	return places
}
