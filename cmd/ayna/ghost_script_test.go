package main

import (
	"net/http"
	"slices"

	"ayna/testrun/fakepaper"
)

// ghostPaper is the Ghost of scripts, with two posts for members, and films if asked.
func ghostPaper(base string, args []string) http.Handler {
	o := fakepaper.Options{Base: base, Items: 16, HiddenKey: slices.Contains(args, "hidden"), Private: slices.Contains(args, "private")}
	if slices.Contains(args, "protected") {
		o.Faults = func(c fakepaper.Call) *fakepaper.Fault {
			if c.Operation == "page" {
				return nil
			}
			return forbidden()
		}
	}
	if slices.Contains(args, "vector") {
		o.Faults = func(c fakepaper.Call) *fakepaper.Fault {
			if c.Operation != "picture" {
				return nil
			}
			return fakepaper.Body(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`)
		}
	}
	paper := fakepaper.NewGhost(o)
	posts := paper.Posts()
	paper.Amend(posts[len(posts)-2].ID, func(post *fakepaper.GhostPost) {
		post.Title, post.Visibility, post.Excerpt, post.Tags = "Üyelere", "members", "Kısa özet.", nil
	})
	paper.Amend(posts[len(posts)-1].ID, func(post *fakepaper.GhostPost) {
		post.Title, post.Visibility, post.Excerpt, post.Open = "Girişi açık", "paid", "", "<p>Bunu herkes okur.</p>"
	})
	if slices.Contains(args, "films") {
		paper.Amend(posts[0].ID, func(post *fakepaper.GhostPost) { post.Title, post.HTML = "Filmler", filmCards(base) })
	}
	if slices.Contains(args, "another") {
		paper.Replace("Başka Gazete")
	}
	return paper
}
