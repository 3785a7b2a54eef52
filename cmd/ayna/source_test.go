package main

import (
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ayna/archive"
	"ayna/server"
	"ayna/testrun/fakepaper"
)

// services are the news services of scripts, by the folder of each. A script has
// one address, since an archive is bound to it.
var services sync.Map

// service is a news service whose temper changes.
type service struct {
	base    string
	handler atomic.Pointer[http.Handler]
}

// serviceOf returns the news service of a script, and starts it first.
func serviceOf(ts *testscript.TestScript) *service {
	if known, ok := services.Load(ts.Getenv("WORK")); ok {
		return known.(*service)
	}
	s := new(service)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*s.handler.Load()).ServeHTTP(w, r) }))
	ts.Defer(server.Close)
	s.base = server.URL
	services.Store(ts.Getenv("WORK"), s)
	address := strings.TrimPrefix(s.base, "http://")
	_, port, err := net.SplitHostPort(address)
	ts.Check(err)
	ts.Setenv("SOURCE", s.base)
	ts.Setenv("ADDRESS", address)
	ts.Setenv("PORT", port)
	return s
}

// startSource gives the news service of a script a temper. Its address is in
// $SOURCE, without http:// in $ADDRESS, and its port in $PORT:
//
//	source sample            the built-in one
//	source paper             an invented one with 30 items
//	source archive FILE      the Read API over an archive, with the pictures of the paper
//	source refuses           401 to everything
//	source busy [SECONDS]    429 to everything, and when to come again
//	source html              a page of HTML for everything
//	source half              half of each answer
//	source errors            an error object with status 200
//	source poison ID         the paper, with status 500 for one single record
//	source hides FILE        the paper without the records whose ids stand in FILE
//	source dates LAYOUT      the paper with dates of that layout of package time
//	source odd FILE          the temper that FILE names, see oddService
//	source protected         a page of HTML with the status 403
//	source wordpress [HOW]   WordPress with 16 posts: plain, with plain permalinks below /blog
//	                         and a manual offset of -3.5 hours; named, at http://kiyi.example, with
//	                         a time zone that is none, where http://eski.example leads; local, at
//	                         localhost, where 127.0.0.1 leads; installed, with 90 posts and the
//	                         installer's language, en-US; closed, to all but ayse:gizli;
//	                         protected, with a page of HTML instead of its REST API; guarded, likewise
//	                         with the status 401, and with pages that do not name it; words, with
//	                         a notice before its JSON and a comment after it, as HTML; unnamed, with
//	                         pages that do not name the REST API; renamed, with another prefix;
//	                         shut, without a REST API; forbidden, with the status 403 for its pages; fed,
//	                         closed with a feed; fed404, shut with a feed; summaries, fed without texts;
//	                         silent, with a feed and a REST API behind a gateway that waits in vain;
//	                         commented, with two comments; discreet, with those refused
//	source attached          WordPress with two posts that have a document, a sound and a film
//	source ghost [HOW]       Ghost with 16 posts: hidden, private or protected, with films, or another one
//	source leads ADDRESS     a redirect of each page
//	source feed [LINK]       RSS that names a home page
//	source endless           a home page that does not end
//	source down              no answer: connections are closed
func startSource(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: source TEMPER [ARGUMENT]")
	}
	var handler http.Handler
	at := serviceOf(ts)
	base := at.base
	newspaper := func() http.Handler {
		news, err := server.Sample(context.Background(), base)
		ts.Check(err)
		return news
	}
	always := func(faults func(fakepaper.Call, *http.Request) *fakepaper.Fault) http.Handler {
		return fakepaper.Faulty(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), faults)
	}
	switch args[0] {
	case "sample":
		handler = newspaper()
	case "paper":
		handler = paper(base)
	case "archive":
		a, err := archive.OpenReadOnly(context.Background(), ts.MkAbs(args[1]))
		ts.Check(err)
		ts.Defer(func() { a.Close() })
		both := http.NewServeMux()
		both.Handle("/resim/", paper(base))
		both.Handle("/", server.New(a, server.Options{APIKey: ts.Getenv("SERVED_KEY")}))
		handler = both
	case "refuses":
		handler = always(func(_ fakepaper.Call, r *http.Request) *fakepaper.Fault {
			return &fakepaper.Fault{Status: http.StatusUnauthorized, Body: `{"message":"bad key ` + r.Header.Get("apikey") + `"}`}
		})
	case "busy":
		handler = always(func(fakepaper.Call, *http.Request) *fakepaper.Fault {
			return &fakepaper.Fault{Status: http.StatusTooManyRequests, Body: "Rate Limit Exceeded", Header: http.Header{"Retry-After": args[1:]}}
		})
	case "elsewhere":
		handler = http.RedirectHandler("https://baska.example/", http.StatusMovedPermanently)
	case "html":
		page := fakepaper.HTML()
		if len(args) > 1 {
			var err error
			page.Status, err = strconv.Atoi(args[1])
			ts.Check(err)
		}
		handler = always(func(fakepaper.Call, *http.Request) *fakepaper.Fault { return page })
	case "protected":
		handler = always(func(fakepaper.Call, *http.Request) *fakepaper.Fault { return forbidden() })
	case "half":
		handler = fakepaper.Faulty(paper(base), func(fakepaper.Call, *http.Request) *fakepaper.Fault { return &fakepaper.Fault{Half: true} })
	case "errors":
		handler = always(func(fakepaper.Call, *http.Request) *fakepaper.Fault {
			return fakepaper.Body(`{"value":{"a":[1],"b":[2]},"c":[],"d":[]}`)
		})
	case "poison":
		handler = fakepaper.Faulty(paper(base), func(c fakepaper.Call, _ *http.Request) *fakepaper.Fault {
			if c.ID != args[1] {
				return nil
			}
			return fakepaper.Status(http.StatusNotImplemented)
		})
	case "hides":
		file, without, mu := ts.MkAbs(args[1]), make(map[string]http.Handler), new(sync.Mutex)
		handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ids, err := os.ReadFile(file)
			if err != nil {
				http.Error(w, "no", http.StatusNotFound)
				return
			}
			mu.Lock()
			news := without[string(ids)]
			if news == nil {
				news = hide(base, strings.Fields(string(ids)))
				without[string(ids)] = news
			}
			mu.Unlock()
			news.ServeHTTP(w, r)
		})
	case "dates":
		handler = fakepaper.New(fakepaper.Options{Base: base, Items: 10, DateForm: args[1]})
	case "odd":
		file := ts.MkAbs(args[1])
		handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			temper, _ := os.ReadFile(file)
			oddService(strings.TrimSpace(string(temper)), base).ServeHTTP(w, r)
		})
	case "attached":
		handler = attachedPress(base)
	case "wordpress":
		o := fakepaper.Options{Base: base, Items: 16}
		switch strings.Join(args[1:], " ") {
		case "plain":
			o.PlainPermalinks, o.Prefix, o.Zone = true, "/blog", time.FixedZone("", -3.5*3600)
		case "named":
			o.Base, o.Zone = "http://kiyi.example", time.FixedZone("Local", 0)
		case "local":
			o.Base = strings.Replace(base, "127.0.0.1", "localhost", 1)
		case "installed":
			o.Language, o.Items = "en-US", 90
		case "closed":
			o.Key = "ayse:gizli"
		case "hidden":
			o.HiddenUsers = true
		case "unnamed":
			o.NoLink = true
		case "renamed":
			o.RESTPrefix = "api"
		case "shut":
			o.RESTClosed = true
		case "fed":
			o.Key, o.Feed = "ayse:gizli", true
		case "fed404":
			o.RESTClosed, o.Feed = true, true
		case "silent":
			o.Feed = true
			o.Faults = func(c fakepaper.Call) *fakepaper.Fault {
				if c.Operation == "page" || c.Operation == "feed" {
					return nil
				}
				return fakepaper.Status(http.StatusGatewayTimeout)
			}
		case "summaries":
			o.Key, o.Feed, o.Summaries = "ayse:gizli", true, true
		case "forbidden":
			o.HomeForbidden = true
		case "protected", "guarded":
			fault := forbidden()
			if o.NoLink = args[1] == "guarded"; o.NoLink {
				fault.Status = http.StatusUnauthorized
			}
			o.Faults = func(c fakepaper.Call) *fakepaper.Fault {
				if c.Operation == "page" {
					return nil
				}
				return fault
			}
		}
		if slices.Contains(args, "discreet") {
			o.Faults = func(c fakepaper.Call) *fakepaper.Fault {
				if c.Operation != "comments" {
					return nil
				}
				return fakepaper.Status(http.StatusUnauthorized)
			}
		}
		press := fakepaper.NewWordPress(o)
		if slices.Contains(args, "commented") {
			for _, post := range press.Posts("posts")[:2] {
				press.Comment(fakepaper.Comment{Post: post.ID, Author: "Okur", Text: "<p>Bizim oradan.</p>"})
			}
		}
		if slices.Contains(args, "another") {
			press.Rename("Başka Gazete")
			for _, post := range press.Posts("posts") {
				press.Amend(post.ID, func(post *fakepaper.Post) { post.Title, post.Date = "Başka", post.Date.AddDate(-1, 0, 0) })
			}
		}
		if slices.Contains(args, "builder") {
			for i, post := range press.Posts("posts")[:3] {
				press.Amend(post.ID, func(post *fakepaper.Post) { post.Text += []string{`[slayt ad="ana"]`, `<iframe></iframe>`}[i%2] })
			}
		}
		handler = press
		if slices.Contains(args, "words") {
			handler = withWords(press)
		}
		if o.Base != base {
			moved := http.NewServeMux()
			for _, host := range []string{"eski.example/", "127.0.0.1/"} {
				moved.Handle(host, http.RedirectHandler(o.Base+"/", http.StatusMovedPermanently))
			}
			moved.Handle("/", press)
			handler = moved
		}
	case "ghost":
		handler = ghostPaper(base, args)
	case "leads":
		handler = http.RedirectHandler(args[1], http.StatusFound)
	case "feed":
		handler = always(func(fakepaper.Call, *http.Request) *fakepaper.Fault {
			link := strings.Join(args[1:], "")
			return fakepaper.Body(`<?xml version="1.0"?><rss version="2.0"><channel><title>Kıyı</title><link>` + link + `</link><item><link>` + base + `/1</link></item></channel></rss>`)
		})
	case "endless":
		handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			for err := error(nil); err == nil; {
				_, err = io.WriteString(w, strings.Repeat("<p>Kıyı</p>", 1000))
			}
		})
	case "down":
		handler = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	default:
		ts.Fatalf("unknown temper %q", args[0])
	}
	at.handler.Store(&handler)
}

// secure puts the news service of a script behind TLS, at $SECURE; $AUTHORITY is a file with
// the certificate.
func secure(ts *testscript.TestScript, _ bool, _ []string) {
	s := serviceOf(ts)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*s.handler.Load()).ServeHTTP(w, r) }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that fail
	server.StartTLS()
	ts.Defer(server.Close)
	certificate := ts.MkAbs("certificate.pem")
	ts.Check(os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o644))
	ts.Setenv("SECURE", strings.TrimPrefix(server.URL, "https://"))
	ts.Setenv("AUTHORITY", certificate)
}

// paper is the newspaper of most scripts.
func paper(base string) *fakepaper.Service {
	return fakepaper.New(fakepaper.Options{Base: base, Items: 30})
}

// forbidden is what a protection answers instead of a site.
func forbidden() *fakepaper.Fault {
	f := fakepaper.HTML()
	f.Status = http.StatusForbidden
	return f
}

// withWords returns a site with a notice before its JSON, and a comment after it that differs in
// each answer. They are sent as HTML.
func withWords(site http.Handler) http.Handler {
	answers := new(atomic.Int64)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		whole := httptest.NewRecorder()
		site.ServeHTTP(whole, r)
		maps.Copy(w.Header(), whole.Header())
		body := whole.Body.String()
		if strings.HasPrefix(body, "[") || strings.HasPrefix(body, "{") {
			w.Header().Set("Content-Type", "text/html; charset=UTF-8")
			body = fmt.Sprintf("<br />\n<b>Notice</b>: %d: foo[0] is undefined<br />\n%s\n<!-- kept -->", answers.Add(1), body)
		}
		w.WriteHeader(whole.Code)
		io.WriteString(w, body)
	})
}

// hide returns the paper without some of its records.
func hide(base string, ids []string) http.Handler {
	news := paper(base)
	for _, r := range news.Records() {
		if slices.Contains(ids, r.ID) {
			news.Remove(r.Group, r.ID)
		}
	}
	return news
}
