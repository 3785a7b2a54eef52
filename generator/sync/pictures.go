package sync

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"ayna/archive"
)

// retryPictures is how long a picture that could not be had is left alone.
const retryPictures = 24 * time.Hour

// pictures fetches the pictures that the archive's records show and that are
// not mirrored yet, those of the newest records first. A picture that cannot
// be had is reported, and the page shows its caption.
func (s *syncer) pictures(ctx context.Context) error {
	dir := s.archive.MediaDir()
	if !s.Pictures || dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%w: %w", errArchive, err)
	}
	missing, err := s.archive.MissingMedia(ctx, s.now(), retryPictures, s.wants)
	if err != nil {
		return fmt.Errorf("%w: %w", errArchive, err)
	}
	fetcher := s.pictureClient()
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(max(1, s.Concurrency))
	var done atomic.Int64
	for _, address := range missing {
		if inner.Err() != nil {
			break
		}
		group.Go(func() error {
			err := s.picture(inner, fetcher, dir, address)
			s.progress("pictures", int(done.Add(1)), len(missing))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// picture fetches one picture and notes what became of it.
func (s *syncer) picture(ctx context.Context, fetcher *http.Client, dir, address string) error {
	media, err := s.fetchPicture(ctx, fetcher, dir, address)
	if errors.Is(err, errArchive) || ctx.Err() != nil {
		return err
	}
	if isOurs(err) {
		return fmt.Errorf("%w: picture %s: %w", errMachine, address, err)
	}
	media.URL, media.Fetched = address, s.now()
	if err != nil {
		media.Problem = s.client.Hide(err.Error())
		s.fail(Failure{ID: address, Operation: "picture"}, err)
	}
	s.mu.Lock()
	if err != nil {
		s.report.Pictures.Failed++
	} else {
		s.report.Pictures.Fetched++
	}
	s.mu.Unlock()
	return s.update(ctx, func(tx *archive.Tx) error { return tx.PutMedia(media) })
}

const maxPicture = 15 << 20 // bytes

func (s *syncer) fetchPicture(ctx context.Context, fetcher *http.Client, dir, address string) (archive.Media, error) {
	u, err := url.Parse(address)
	if err == nil {
		err = s.mayVisit(u)
	}
	if err != nil {
		return archive.Media{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return archive.Media{}, err
	}
	request.Header.Set("Accept", "image/*")
	request.Header.Set("User-Agent", "ayna")
	response, err := fetcher.Do(request)
	if err != nil {
		return archive.Media{}, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return archive.Media{}, fmt.Errorf("the picture's host answered with status %d", response.StatusCode)
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, maxPicture+1))
	if err != nil {
		return archive.Media{}, err
	}
	if len(content) > maxPicture {
		return archive.Media{}, fmt.Errorf("the picture has over %d MiB", maxPicture>>20)
	}
	return keepPicture(dir, content)
}

// mayVisit checks what can be told of a picture's address before it is
// resolved. The source's own origin is as good for pictures as for records.
func (s *syncer) mayVisit(u *url.URL) error {
	if u.Scheme == s.origin.Scheme && u.Host == s.origin.Host {
		return nil
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("pictures are not fetched by %q", u.Scheme)
	}
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		return fmt.Errorf("pictures are not fetched from port %s", port)
	}
	return nil
}

// pictureClient is a client that sends no key, follows three redirects at the
// most, each checked like the first address, and connects to public addresses
// only.
func (s *syncer) pictureClient() *http.Client {
	return &http.Client{
		Transport: answerHosts(s.Hosts, publicTransport(s.origin)),
		Timeout:   time.Minute,
		CheckRedirect: func(request *http.Request, via []*http.Request) error {
			if len(via) > 3 {
				return errors.New("the picture's host redirects more than three times")
			}
			return s.mayVisit(request.URL)
		},
	}
}
