package get

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

var poster = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
	return errors.New("it redirects; set its new address")
}}

// Post sends a notification to an address, and expects a 2xx. Its errors do not hold the
// address, which may be a secret.
func Post(ctx context.Context, address, userAgent, contentType, body string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err == nil {
		request.Header.Set("Content-Type", contentType)
		request.Header.Set("User-Agent", userAgent)
		var response *http.Response
		if response, err = poster.Do(request); err == nil {
			defer response.Body.Close()
			io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)) // so that the connection can be reused
			if response.StatusCode/100 != 2 {
				return fmt.Errorf("it returned %s", response.Status)
			}
		}
	}
	if failure := (*url.Error)(nil); errors.As(err, &failure) {
		return failure.Err
	}
	return err
}
