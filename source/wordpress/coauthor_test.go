package wordpress_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ayna/record"
	"ayna/source"
	"ayna/source/encode"
	"ayna/source/wordpress"
	"ayna/testrun/fakepaper"
)

// Plug-ins give posts several authors. Their names are those of users, or of guests; what is about
// people beside that is not kept.
func TestCoauthors(t *testing.T) {
	terms := map[string]any{"coauthors": []int{21, 22}}
	broken := func(list string, _ *http.Request, answer *httptest.ResponseRecorder) {
		if strings.HasSuffix(list, "/ayse") {
			refuse(answer, 500, "internal")
		}
	}
	guest := map[string]any{"display_name": "Ayşe &amp; Can", "slug": "ayse", "term_id": 22, "is_guest": 1, "user_id": 0, "avatar_url": "https://secure.gravatar.com/avatar/0a1b", "user_email": "gizli@kiyi.example"}
	both := []record.Person{{ID: "other"}, {ID: "coauthor-22", Name: "Ayşe & Can"}}
	for _, test := range []struct {
		name   string
		fields map[string]any // of each post
		alter  alteration
		want   []record.Person // the name of a user is that of the user
		asked  string          // a part of a request
		unread string
	}{
		{"terms", terms, nil, both, "/coauthors/v1/coauthors/ayse?", ""},
		{"a guest is not answered", terms, broken, []record.Person{{ID: "other"}, {ID: "coauthor-22", Name: "ayse"}}, "", "writer"},
		{"a guest whose name is not shown", terms, func(list string, _ *http.Request, answer *httptest.ResponseRecorder) {
			if strings.HasSuffix(list, "/ayse") {
				refuse(answer, 404, "rest_not_found")
			}
		}, []record.Person{{ID: "other"}, {ID: "coauthor-22", Name: "ayse"}}, "", ""},
		{"the list is not shown", terms, func(list string, _ *http.Request, answer *httptest.ResponseRecorder) {
			if list == "coauthors" {
				refuse(answer, 401, "rest_forbidden")
			}
		}, []record.Person{{ID: "main"}}, "", ""},
		{"objects", map[string]any{"authors": []any{map[string]any{"display_name": "Başka", "user_id": "other"}, guest, guest}}, nil, both, "", ""},
		{"objects of another plug-in", map[string]any{"coauthors": []any{map[string]any{"id": 5, "display_name": "Deniz", "user_nicename": "deniz"}}}, nil, []record.Person{{ID: "coauthor-5", Name: "Deniz"}}, "", ""},
		{"other contents", map[string]any{"authors": "Ali", "coauthors": []any{nil, "x", map[string]any{"display_name": 5}, []any{}}}, nil, []record.Person{{ID: "main"}}, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := alterable(t)
			posts, users := s.Posts("posts"), make(map[string]fakepaper.Term)
			for _, u := range s.Users() {
				if u.ID == posts[0].Author {
					users["main"] = u
				} else if slices.ContainsFunc(posts, func(p fakepaper.Post) bool { return p.Author == u.ID }) {
					users["other"] = u
				}
			}
			fields := strings.ReplaceAll(string(encode.Encode(test.fields)), `"other"`, strconv.Itoa(users["other"].ID))
			s.alter = func(list string, r *http.Request, answer *httptest.ResponseRecorder) {
				switch list {
				case "posts":
					objects(t, answer, func(post map[string]any) {
						if strings.Contains(r.URL.Query().Get("_fields"), "authors") {
							json.Unmarshal([]byte(fields), &post)
						}
					})
				case "coauthors":
					answer.Code = http.StatusOK
					replace(answer, `[{"id":21,"name":"gizli","description":"gizli@kiyi.example","slug":"cap-`+users["other"].Slug+`"},{"id":22,"slug":"cap-ayse"}]`)
				case "/wp-json/coauthors/v1/coauthors/ayse":
					answer.Code = http.StatusOK
					replace(answer, `{"id":900,"display_name":"Ayşe &amp; Can","user_nicename":"ayse","avatar_urls":{"24":"https://secure.gravatar.com/avatar/0a1b"}}`)
				}
				if test.alter != nil {
					test.alter(list, r, answer)
				}
			}
			w := s.open(t)
			all := s.read(t, w, 100)
			id := strconv.Itoa(posts[0].ID)
			answers, err := w.Fetch(t.Context(), wordpress.Posts, []string{id})
			if err != nil || len(answers) != 1 {
				t.Fatal(answers, err)
			}
			a := answers[0]
			if string(a.Record) != string(all["single "+id]) {
				t.Errorf("%s\n%s", a.Record, all["single "+id])
			}
			want := slices.Clone(test.want)
			for i, p := range want {
				if u, ok := users[p.ID]; ok {
					want[i] = record.Person{ID: "user-" + strconv.Itoa(u.ID), Name: u.Name}
				}
			}
			if got := writersOf(t, a.Record); !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
			if asked := strings.Join(s.asked, "\n"); !strings.Contains(asked, test.asked) || strings.Count(asked, "/coauthors/v1/") > 2 {
				t.Errorf("asked:\n%s", asked)
			}
			if got := strings.Join(a.Unread, " "); got != test.unread {
				t.Errorf("unread %q, want %q", got, test.unread)
			}
			for _, secret := range []string{"gravatar", "gizli"} {
				if kept, _ := json.Marshal(s.kept.all); strings.Contains(string(kept)+string(a.Original.Data), secret) {
					t.Errorf("kept: %s\n%s", kept, a.Original.Data)
				}
			}
			s.close(w)
			again, err := s.open(t).Read(t.Context(), []source.Original{a.Original})
			if err != nil || again[0].Err != nil || string(again[0].Single) != string(a.Record) || len(s.asked) > 0 {
				t.Errorf("read again: %v %v\n%s\n%s", err, again, again[0].Single, a.Record)
			}
		})
	}
}

// writersOf returns the writers of a single record.
func writersOf(t *testing.T, single json.RawMessage) (list []record.Person) {
	t.Helper()
	var r struct {
		Writers []struct{ Id, Fullname string }
	}
	if err := json.Unmarshal(single, &r); err != nil {
		t.Fatal(err)
	}
	for _, w := range r.Writers {
		list = append(list, record.Person{ID: w.Id, Name: strings.ReplaceAll(w.Fullname, "&amp;", "&")})
	}
	return list
}
