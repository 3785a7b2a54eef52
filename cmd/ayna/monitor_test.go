package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// monitors are the services that scripts have pinged, by the folder of each script.
var monitors sync.Map

// startMonitor starts the service that watches the runs of a script, or changes how it
// answers:
//
//	monitor start   notes requests in requests.txt, bodies in bodies.txt
//	monitor hang    does not answer
//	monitor stop    refuses connections
//
// The first one writes configurations that name it.
func startMonitor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: monitor start|hang|stop")
	}
	work := ts.Getenv("WORK")
	if known, ok := monitors.Load(work); ok {
		known.(*httptest.Server).Close()
	}
	note := func(name, text string) {
		f, err := os.OpenFile(ts.MkAbs(name), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
		if err == nil {
			_, err = io.WriteString(f, text)
			f.Close()
		}
		if err != nil {
			ts.Logf("%s: %v", name, err)
		}
	}
	monitor := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if args[0] == "hang" {
			<-r.Context().Done()
			return
		}
		note("requests.txt", r.Method+" "+r.RequestURI+"\n")
		note("bodies.txt", string(body))
	}))
	monitor.Start()
	if args[0] == "stop" {
		monitor.Close()
	} else {
		ts.Defer(monitor.Close)
	}
	monitors.Store(work, monitor)
	const config = `title: Deneme
base_url: https://ayna.example/
source: {url: "${SOURCE}", per_second: 0, per_hour: 0}
media: link
markdown: false
content: {kinds: [article]}
feeds: {of: [home]}
notify:
  url: %s
`
	ping := fmt.Sprintf(config, monitor.URL+"/ping/s3cret")
	for name, text := range map[string]string{
		"config.yaml": ping, "site.yaml": ping,
		"push.yaml": fmt.Sprintf(config, "'"+monitor.URL+"/api/push/s3cret?status={status}&msg={message}'"),
	} {
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o644))
	}
}
