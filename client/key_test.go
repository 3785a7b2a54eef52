package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"ayna/client"
)

func checkNoKey(t *testing.T, err error) {
	t.Helper()
	for e := err; e != nil; e = errors.Unwrap(e) {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			if text := fmt.Sprintf(verb, e); strings.Contains(text, canary) || strings.Contains(text, canary[:8]) {
				t.Errorf("the key is in %s", text)
			}
		}
	}
}

func TestErrorsHideTheKey(t *testing.T) {
	spaced := strings.Join(strings.Split(canary, ""), "\x00")
	handlers := map[string]http.HandlerFunc{
		"message":          answering(401, `{"message":"bad key `+canary+`"}`),
		"text":             answering(500, "bad key "+canary),
		"spaced":           answering(500, "bad key "+spaced),
		"at the cut":       answering(500, strings.Repeat("x", 190)+canary),
		"escaped":          answering(500, `{"Message":"bad key \u0063`+canary[1:]+`"}`),
		"structure":        answering(500, `{"error":{"keys":["`+canary+`"]}}`),
		"object keys":      answering(200, `{"`+canary+`":1}`),
		"record":           answering(200, `{"Id":"1","`+canary+`":1}`),
		"string":           answering(200, `"`+canary+`"`),
		"no JSON":          answering(200, canary),
		"half JSON":        answering(200, `{"Id":"`+canary),
		"redirect host":    answering(302, "", "Location: http://"+canary+".example/"),
		"redirect broken":  answering(302, "", "Location: http://["+canary),
		"charset":          answeringAs("application/json; charset="+canary, "[]"),
		"content encoding": answering(200, "[]", "Content-Encoding: "+canary),
		"retry after":      answering(429, "", "Retry-After: "+canary),
		"date":             answering(500, "", "Date: "+canary),
	}
	for name, handler := range handlers {
		t.Run(name, func(t *testing.T) {
			c := connect(t, handler)
			ctx := context.Background()
			_, single := c.Single(ctx, client.Articles, "1")
			_, writer := c.Single(ctx, client.Writers, "1")
			_, list := c.List(ctx, client.Articles, client.Query{Filter: client.Eq("Path", canary)})
			_, search := c.SearchBatch(ctx, canary, client.Query{})
			_, date := c.Date(ctx)
			if single == nil {
				t.Error("no error")
			}
			for _, err := range []error{single, writer, list, search, date} {
				checkNoKey(t, err)
			}
		})
	}
}
