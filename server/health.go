package server

import (
	"encoding/json"
	"net/http"
)

// Part is a part of the server that can tell what is wrong with it.
type Part interface {
	Trouble() error // nil: nothing
}

// Health answers whether all is well, as {"status": "ok", "archive": "ok"}
// with a member for each part. While a part is in trouble it goes on with what
// it last had; it and the whole are "degraded" then, and the status is still
// 200: to start the server anew would lose what it has. report is told what
// the trouble is, since clients are not.
func Health(parts map[string]Part, report func(part string, trouble error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		state := map[string]string{"status": "ok"}
		for name, part := range parts {
			state[name] = "ok"
			if err := part.Trouble(); err != nil {
				report(name, err)
				state[name], state["status"] = "degraded", "degraded"
			}
		}
		body, err := json.Marshal(state)
		if err != nil {
			turnAway(w, r, http.StatusInternalServerError, "something went wrong here")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Write(body)
	})
}
