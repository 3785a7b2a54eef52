package fetch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"ayna/archive"
	"ayna/durable"
	"ayna/picture"
	"ayna/prose"
	"ayna/source/get"
)

const (
	// retryPictures is the time until a picture that failed is fetched again.
	retryPictures = 24 * time.Hour
	maxPicture    = 15 << 20 // bytes
	// maxPixels bounds the work of a reader's browser.
	maxPixels = 100_000_000
)

// mirrorPictures fetches the pictures of the archive's records that are not mirrored
// yet, those of the newest records first. A picture that cannot be fetched is
// reported, and the page shows its caption.
func (s *syncer) mirrorPictures(ctx context.Context) error {
	dir := s.archive.Pictures.Dir()
	if !s.Pictures || dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return inArchive(err)
	}
	if err := s.archive.Pictures.RefetchLost(ctx); err != nil {
		return inArchive(err)
	}
	missing, err := checked(s.archive.Pictures.Missing(ctx, s.Now(), retryPictures, s.wants))
	if err != nil {
		return err
	}
	fetcher := s.webClient(time.Minute)
	always := func() bool { return true }
	return sideBySide(ctx, s, "pictures", missing, 1, always, func(ctx context.Context, addresses []string) error {
		return s.mirrorPicture(ctx, fetcher, dir, addresses[0])
	})
}

// mirrorPicture fetches one picture and stores the outcome.
func (s *syncer) mirrorPicture(ctx context.Context, fetcher *http.Client, dir, address string) error {
	media, err := s.fetchPicture(ctx, fetcher, dir, address)
	if errors.Is(err, errArchive) || ctx.Err() != nil {
		return err
	}
	if isOutOfFiles(err) {
		return fmt.Errorf("%w: picture %s: %w", errMachine, address, err)
	}
	media.URL, media.Fetched = address, s.Now()
	count := &s.report.Pictures.Fetched
	if err != nil {
		media.Problem = s.source.KeyGuard().Hide(err.Error())
		count = &s.report.Pictures.Failed
		if prose.IsPoster(address) { // nothing is lost: the card shows without it
			count = new(int)
		} else {
			s.fail(Failure{ID: address, Operation: "picture"}, err)
		}
	}
	s.mu.Lock()
	*count++
	s.mu.Unlock()
	return s.update(ctx, func(tx *archive.Tx) error { return tx.PutMedia(media) })
}

func (s *syncer) fetchPicture(ctx context.Context, fetcher *http.Client, dir, address string) (archive.Media, error) {
	content, err := s.readPicture(ctx, fetcher, address)
	if err != nil {
		return archive.Media{}, err
	}
	return storePicture(dir, content)
}

// ReadPicture returns one picture from the web, under the rules for pictures of records.
// The bytes are not looked at.
func ReadPicture(ctx context.Context, options Options, address string) ([]byte, error) {
	origin, err := url.Parse(options.URL)
	if err != nil {
		return nil, fmt.Errorf("source address: %w", err)
	}
	s := &syncer{Options: options, origin: origin}
	return s.readPicture(ctx, s.webClient(time.Minute), address)
}

func (s *syncer) readPicture(ctx context.Context, fetcher *http.Client, address string) ([]byte, error) {
	u, err := url.Parse(address)
	if err == nil {
		err = s.mayVisit(u)
	}
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "image/*")
	request.Header.Set("User-Agent", cmp.Or(s.UserAgent, "ayna"))
	response, err := fetcher.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the picture's host answered with status %d", response.StatusCode)
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, maxPicture+1))
	if err == nil && len(content) > maxPicture {
		err = fmt.Errorf("the picture is larger than %d MiB", maxPicture>>20)
	}
	return content, err
}

// mayVisit returns an error if a file's address has another scheme or port than the
// web's, before its host is resolved. The source's own origin is always allowed.
func (s *syncer) mayVisit(u *url.URL) error {
	if u.Scheme == s.origin.Scheme && u.Host == s.origin.Host {
		return nil
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("files are not fetched by %q, only by http and https", u.Scheme)
	}
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		return fmt.Errorf("files are not fetched from port %s, only from 80 and 443", port)
	}
	return nil
}

// webClient returns a client for pictures and attachments that sends no key, follows up to three
// redirects, each checked like the first address, and connects only to public addresses and to the
// origin of the source. Handlers in Hosts answer without a connection. A timeout of 0 is none.
func (s *syncer) webClient(timeout time.Duration) *http.Client {
	return &http.Client{
		Transport: &handlerTransport{s.Hosts, publicTransport(s.origin)},
		Timeout:   timeout,
		CheckRedirect: func(request *http.Request, via []*http.Request) error {
			if len(via) > 3 {
				return errors.New("the file's host redirects more than three times")
			}
			return s.mayVisit(request.URL)
		},
	}
}

// storePicture stores a picture in a folder, named after the first half of the SHA-256 of
// its bytes. Its type is read from its bytes; only JPEG, PNG, GIF and WebP are accepted.
// The caller sets URL and Fetched.
func storePicture(dir string, content []byte) (archive.Media, error) {
	shape, err := picture.ReadInfo(bytes.NewReader(content))
	if err != nil {
		return archive.Media{}, fmt.Errorf("the answer is %w", err)
	}
	if shape.Width <= 0 || shape.Height <= 0 ||
		shape.Width > maxPixels/shape.Height {
		return archive.Media{}, fmt.Errorf("the picture has %d × %d pixels", shape.Width, shape.Height)
	}
	sum := sha256.Sum256(content)
	name := hex.EncodeToString(sum[:16]) + "." + strings.Replace(shape.Format, "jpeg", "jpg", 1)
	path := filepath.Join(dir, name)
	if info, err := os.Stat(path); err != nil || info.Size() != int64(len(content)) {
		if err := durable.WriteFile(path, content); err != nil {
			return archive.Media{}, inArchive(err)
		}
	}
	return archive.Media{
		Name: name, Type: "image/" + shape.Format, Width: shape.Width, Height: shape.Height, Bytes: int64(len(content)),
	}, nil
}

// publicTransport connects only to public addresses and to the origin of the source. It
// checks the address of the connection, so a name that resolves differently a second
// time is caught. It uses no proxy, behind which it could not check.
func publicTransport(origin *url.URL) http.RoundTripper {
	public := &net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		return checkPublic(address)
	}}
	plain := &net.Dialer{Timeout: 10 * time.Second}
	own := hostPort(origin)
	transport := get.NewTransport()
	transport.Proxy = nil
	transport.MaxIdleConnsPerHost = 4
	transport.MaxConnsPerHost = 4
	transport.ResponseHeaderTimeout = 30 * time.Second
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if address == own {
			return plain.DialContext(ctx, network, address)
		}
		return public.DialContext(ctx, network, address)
	}
	return transport
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// special are the ranges outside of the public internet: the IANA registries of
// special-purpose addresses for IPv4 and IPv6, multicast, and the ranges that embed
// an IPv4 address.
var special = prefixes(
	"100.64.0.0/10",
	"0.0.0.0/8", "10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
	"192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
	"224.0.0.0/4", "240.0.0.0/4",
	"fc00::/7",
	"64:ff9b::/96",
	"::/96", "::ffff:0:0/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16",
	"3fff::/20", "5f00::/16", "fe80::/10", "fec0::/10", "ff00::/8",
)

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}

var errNotPublic = errors.New("is no public address")

// checkPublic returns an error if the address of a socket, host:port, is not public.
func checkPublic(address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%s %w: %w", address, errNotPublic, err)
	}
	ip := at.Addr().WithZone("").Unmap()
	for _, prefix := range special {
		if prefix.Contains(ip) {
			return fmt.Errorf("%s %w", ip, errNotPublic)
		}
	}
	return nil
}
