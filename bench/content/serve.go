package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

type object = map[string]any

// A site has recorded answers, and serves them.
type site struct {
	address string
	lists   map[string][]object // by the name that REST has for them
	texts   map[string]string   // HTML of records, by their addresses
	isGhost bool
}

// load reads the files of JSON in a folder.
func load(folder string) (*site, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	s := &site{lists: make(map[string][]object), texts: make(map[string]string)}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var value any
		if err := json.Unmarshal(data, &value); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s.add(value)
	}
	for _, list := range s.lists {
		slices.SortStableFunc(list, func(a, b object) int { return strings.Compare(text(b["date_gmt"]), text(a["date_gmt"])) })
	}
	if len(s.lists["posts"]) == 0 { // a mirror needs posts
		s.lists["posts"], s.lists["pages"] = s.lists["pages"], nil
	}
	if len(s.texts) == 0 {
		return nil, fmt.Errorf("%s: no file of JSON has texts of WordPress or Ghost", folder)
	}
	return s, nil
}

// add adds the elements of an answer, or of a file of answers.
func (s *site) add(value any) {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			s.add(v)
		}
	case object:
		content, _ := value["content"].(object)
		html, isText := content["rendered"].(string)
		ghost, isGhost := value["html"].(string)
		switch {
		case value["id"] == nil:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				s.add(value[name])
			}
		case isGhost:
			s.isGhost = true
			if address := text(value["url"]); s.texts[address] == "" {
				s.lists["posts"], s.texts[address] = append(s.lists["posts"], value), ghost
			}
		case isText && content["protected"] != true && value["type"] != "comment":
			s.addPost(value, html)
		case value["source_url"] != nil:
			s.lists["media"] = append(s.lists["media"], value)
		case value["taxonomy"] == "category":
			s.lists["categories"] = append(s.lists["categories"], value)
		case value["taxonomy"] == "post_tag":
			s.lists["tags"] = append(s.lists["tags"], value)
		}
	}
}

// addPost adds a post or page. Those of other types are served as posts.
func (s *site) addPost(value object, html string) {
	if text(value["link"]) == "" {
		value["link"] = fmt.Sprintf("https://site.example/?p=%v", value["id"])
	}
	if text(value["date_gmt"]) == "" {
		value["date_gmt"] = value["date"]
	}
	address := text(value["link"])
	if s.texts[address] != "" || html == "" {
		return
	}
	list := "posts"
	if value["type"] == "page" {
		list = "pages"
	} else {
		value["type"] = "post"
	}
	s.lists[list], s.texts[address] = append(s.lists[list], value), html
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

// ServeHTTP answers as the site did.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Date", time.Now().UTC().Format(http.TimeFormat))
	name, isREST := strings.CutPrefix(r.URL.Path, "/wp-json/wp/v2/")
	ghost, isContent := strings.CutPrefix(strings.TrimSuffix(r.URL.Path, "/"), "/ghost/api/content/")
	switch {
	case s.isGhost && isContent:
		s.content(w, r, ghost)
	case s.isGhost && r.URL.Path == "/":
		fmt.Fprintf(w, `<!DOCTYPE html><html lang="en"><meta name="generator" content="Ghost 6.65"><script data-key="%026d" data-api="%s/ghost/api/content/"></script>`, 0, s.address)
	case s.isGhost:
		http.NotFound(w, r)
	case r.URL.Path == "/":
		w.Header().Set("Link", "<"+s.address+`/wp-json/>; rel="https://api.w.org/"`)
		fmt.Fprint(w, `<!DOCTYPE html><html lang="en"><title>Site</title>`)
	case r.URL.Path == "/wp-json/":
		answer(w, object{"name": "Site", "description": "", "gmt_offset": 0, "timezone_string": "UTC", "namespaces": []string{"wp/v2"}})
	case isREST && name == "taxonomies":
		answer(w, object{"category": object{"rest_base": "categories", "types": []string{"post"}}, "post_tag": object{"rest_base": "tags", "types": []string{"post"}}})
	case isREST && strings.Count(name, "/") == 0:
		s.rest(w, r.URL.Query(), name)
	default:
		http.NotFound(w, r)
	}
}

// rest answers for a list of WordPress.
func (s *site) rest(w http.ResponseWriter, query url.Values, name string) {
	list := slices.Clone(s.lists[name])
	if include := query.Get("include"); include != "" {
		ids := strings.Split(include, ",")
		list = slices.DeleteFunc(list, func(o object) bool { return !slices.Contains(ids, number(o)) })
	}
	if query.Has("sticky") || query.Has("modified_after") || query.Has("after") {
		list = nil
	}
	if query.Get("orderby") == "id" {
		slices.SortFunc(list, func(a, b object) int { return atoi(number(b)) - atoi(number(a)) })
	}
	size, offset := max(1, atoi(query.Get("per_page"))), atoi(query.Get("offset"))
	if page := atoi(query.Get("page")); page > 1 {
		offset = (page - 1) * size
	}
	w.Header().Set("X-WP-Total", strconv.Itoa(len(list)))
	list = list[min(offset, len(list)):]
	answer(w, append([]object{}, list[:min(size, len(list))]...))
}

// content answers for a list of Ghost.
func (s *site) content(w http.ResponseWriter, r *http.Request, name string) {
	if name == "settings" {
		answer(w, object{"settings": object{"title": "Site", "timezone": "Etc/UTC", "url": s.address + "/"}})
		return
	}
	name = strings.TrimPrefix(name, "search-index/")
	list := append([]object{}, s.lists[name]...)
	if ids, found := strings.CutPrefix(r.URL.Query().Get("filter"), "id:["); found {
		list = slices.DeleteFunc(list, func(o object) bool { return !strings.Contains(ids, text(o["id"])) })
	} else if atoi(r.URL.Query().Get("page")) > 1 {
		list = []object{}
	}
	answer(w, object{name: list, "meta": object{"pagination": object{"page": 1, "pages": 1, "total": len(list)}}})
}

func number(o object) string {
	n, _ := o["id"].(float64)
	return strconv.Itoa(int(n))
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	json.NewEncoder(w).Encode(value)
}
