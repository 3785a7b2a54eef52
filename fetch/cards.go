package fetch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"time"

	"ayna/archive"
	"ayna/prose"
)

// CardCount counts the cards of pages of other sites in a run.
type CardCount struct {
	Asked  int `json:"asked"`
	Failed int `json:"failed"` // they keep what they have
}

const (
	// mostCards is the number of cards for which a run asks.
	mostCards = 300
	// mostDown is the number of failures in a row after which a run leaves a host alone.
	mostDown = 3
	// firstTry is the number of tries by which the time until a card is asked for again begins, once its
	// title is known: 8 days. It doubles up to 64 days.
	firstTry  = 3
	maxOEmbed = 64 << 10 // bytes
	maxTitle  = 200      // letters
)

// errHostDown marks failures that other requests to the host would have, too.
var errHostDown = errors.New("the host does not answer")

// askCards asks the hosts of pages that texts show as cards for titles and pictures. A failure costs
// nothing else: the card shows the host, and is asked for again later and later.
func (s *syncer) askCards(ctx context.Context) error {
	dir := s.archive.Pictures.Dir()
	if !s.Pictures || dir == "" {
		return nil
	}
	due, err := checked(s.archive.Cards.Due(ctx, s.Now(), mostCards, s.wants))
	if err != nil || len(due) == 0 {
		return err
	}
	c := &cardAsker{syncer: s, dir: dir, asking: s.oEmbedClient(), pictures: s.webClient(time.Minute), down: make(map[string]int)}
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.report.Cards = &c.count
	}()
	for _, card := range due {
		select {
		case <-s.quota.stop:
			return nil
		default:
		}
		if err := c.ask(ctx, card); err != nil {
			return err
		}
	}
	return nil
}

type cardAsker struct {
	*syncer
	dir              string
	asking, pictures *http.Client
	count            CardCount
	down             map[string]int // failures in a row, by host
}

// oEmbedClient is a client as that for pictures, which stays at the hosts of cards.
func (s *syncer) oEmbedClient() *http.Client {
	client := s.webClient(15 * time.Second)
	client.CheckRedirect = func(request *http.Request, via []*http.Request) error {
		if len(via) > 3 || !prose.IsOEmbedHost(request.URL) {
			return errors.New("the host redirects to another one, or too often")
		}
		return nil
	}
	return client
}

// ask asks for one card and stores what came.
func (c *cardAsker) ask(ctx context.Context, card archive.Card) error {
	request, hasPicture := prose.OEmbed(card.Media.URL)
	u, err := url.Parse(request)
	if err != nil || request == "" || c.down[u.Host] >= mostDown {
		return nil
	}
	c.count.Asked++
	title, picture, err := c.readOEmbed(ctx, request)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case isOutOfFiles(err):
		return fmt.Errorf("%w: card of %s: %w", errMachine, card.Media.URL, err)
	case errors.Is(err, errHostDown):
		c.down[u.Host]++
	default:
		c.down[u.Host] = 0
	}
	if err != nil {
		c.count.Failed++
	} else {
		card.Title = cmp.Or(title, card.Title)
		card.Tries = max(card.Tries, firstTry)
		if card.Name == "" && !hasPicture && picture != "" {
			if err := c.addPicture(ctx, &card, picture); err != nil {
				return err
			}
		}
	}
	card.Due = c.Now().Add(askAgain << min(card.Tries, mostDoubled))
	card.Tries++
	card.Fetched = c.Now()
	return c.update(ctx, func(tx *archive.Tx) error {
		if err == nil && card.Title+card.Name != "" {
			if err := tx.PutMedia(card.Media); err != nil {
				return err
			}
		}
		return tx.PutDownload(card.Download)
	})
}

// addPicture mirrors the picture of a card. Without it, only an error of the archive counts.
func (c *cardAsker) addPicture(ctx context.Context, card *archive.Card, address string) error {
	media, err := c.fetchPicture(ctx, c.pictures, c.dir, address)
	if errors.Is(err, errArchive) || ctx.Err() != nil {
		return err
	}
	if err == nil {
		media.URL, media.Title = card.Media.URL, card.Title
		card.Media = media
	}
	return nil
}

// readOEmbed returns the title and the address of the picture in the answer of a host.
func (c *cardAsker) readOEmbed(ctx context.Context, address string) (title, picture string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", "", err
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", cmp.Or(c.UserAgent, "ayna"))
	response, err := c.asking.Do(request)
	if err != nil {
		return "", "", fmt.Errorf("%w: %w", errHostDown, err)
	}
	defer response.Body.Close()
	switch status := response.StatusCode; {
	case status == http.StatusTooManyRequests || status >= 500:
		return "", "", fmt.Errorf("%w: status %d", errHostDown, status)
	case status != http.StatusOK:
		return "", "", fmt.Errorf("the host answers with status %d", status)
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, maxOEmbed+1))
	if err != nil {
		return "", "", fmt.Errorf("%w: %w", errHostDown, err)
	}
	if len(content) > maxOEmbed {
		return "", "", fmt.Errorf("the answer is larger than %d KiB", maxOEmbed>>10)
	}
	return parseOEmbed(content)
}

// parseOEmbed reads an answer. What has another type is left out.
func parseOEmbed(content []byte) (title, picture string, err error) {
	var answer struct {
		Title   json.RawMessage `json:"title"`
		Picture json.RawMessage `json:"thumbnail_url"`
	}
	if err := json.Unmarshal(content, &answer); err != nil {
		return "", "", fmt.Errorf("the answer is no JSON object: %w", err)
	}
	json.Unmarshal(answer.Title, &title)
	json.Unmarshal(answer.Picture, &picture)
	title = prose.Shorten(prose.Plain(html.EscapeString(title)), maxTitle)
	if !prose.Visible(title) || prose.IsBare(title) {
		title = ""
	}
	picture, isSafe := prose.SafeURL(picture)
	if u, err := url.Parse(picture); err != nil || !isSafe || u.Scheme != "https" {
		picture = ""
	}
	if title == "" && picture == "" {
		return "", "", errors.New("the answer has neither title nor picture")
	}
	return title, picture, nil
}
