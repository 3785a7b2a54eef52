package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"ayna/client"
)

// service is a news service with two articles.
func service() *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/articles", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("$skip") != "" {
			io.WriteString(w, `[]`)
			return
		}
		io.WriteString(w, `[{"Id":"51200311","Title":"Asırlık zeytin meyve verdi"},{"Id":"51200310","Title":"Vapur seferleri yaz düzeninde"}]`)
	})
	mux.HandleFunc("GET /v1/articles/51200311", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"Id":"51200311","Editor":"ÖHA","ModifiedDate":"2026-03-14T09:17:25.5Z","Puan":4}`)
	})
	mux.HandleFunc("GET /v1/search/zeytin", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"Count":212,"List":[{"Id":"51200311"}]}`)
	})
	return httptest.NewServer(mux)
}

func ExampleClient_Articles() {
	server := service()
	defer server.Close()
	c, err := client.New(client.Config{BaseURL: server.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	for article, err := range c.Articles(context.Background(), client.Query{Filter: client.Eq("Path", "/yerel-haberler/")}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(article.ID, article.Title)
	}
	// Output:
	// 51200311 Asırlık zeytin meyve verdi
	// 51200310 Vapur seferleri yaz düzeninde
}

func ExampleClient_Article() {
	server := service()
	defer server.Close()
	c, err := client.New(client.Config{BaseURL: server.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	article, err := c.Article(context.Background(), "51200311")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(article.Editor, article.ModifiedDate)
	fmt.Printf("%s\n", article.Raw) // fields that the client does not know are here
	// Output:
	// ÖHA 2026-03-14 09:17:25.5 +0000 UTC
	// {"Id":"51200311","Editor":"ÖHA","ModifiedDate":"2026-03-14T09:17:25.5Z","Puan":4}
}

func ExampleClient_SearchBatch() {
	server := service()
	defer server.Close()
	c, err := client.New(client.Config{BaseURL: server.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	batch, err := c.SearchBatch(context.Background(), "zeytin", client.Query{Top: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d of %d: %s\n", len(batch.Records), batch.Count, batch.Records[0])
	// Output: 1 of 212: {"Id":"51200311"}
}

func ExampleError() {
	server := service()
	defer server.Close()
	c, err := client.New(client.Config{BaseURL: server.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = c.Column(context.Background(), "7")
	var e *client.Error
	if errors.As(err, &e) && errors.Is(err, client.ErrNotFound) {
		fmt.Println(e.Op, e.Status)
	}
	// Output: GET /v1/columns/7 404
}
