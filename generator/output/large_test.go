//go:build unix

package output_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"ayna/generator/output"
)

// largeSize is how many files a site of 100,000 items has.
const largeSize = 128_000

// largePaths are those of pages by date, so that their folders alternate, and
// of the small folders of tags and writers.
func largePaths() []string {
	paths := make([]string, largeSize)
	for i := range paths {
		if i < largeSize*4/5 {
			paths[i] = fmt.Sprintf("section-%d/a-slug-of-some-length-as-titles-have-%d.html", i*31%67, 40_000_000+i*7)
		} else {
			paths[i] = fmt.Sprintf("tags/a-tag-with-number-%d/page/%d.html", i/8, i%8)
		}
	}
	return paths
}

// largeFiles is a site of which every build but the first changes one file in
// share.
func largeFiles(paths []string, share, round int) iter.Seq2[output.File, error] {
	content := bytes.Repeat([]byte("fifteen bytes. "), 400)
	return func(yield func(output.File, error) bool) {
		for i, path := range paths {
			version := 0
			if share > 0 {
				version = (round + i%share) / share
			}
			file := output.File{Path: path, Batch: fmt.Sprint(i / 32)}
			file.Write = func(_ context.Context, w io.Writer) error {
				fmt.Fprintln(w, i, version)
				_, err := w.Write(content)
				return err
			}
			if !yield(file, nil) {
				return
			}
		}
	}
}

// processor is the processor time that the process has used.
func processor(b *testing.B) (user, system time.Duration) {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano()), time.Duration(used.Stime.Nano())
}

// BenchmarkLarge publishes a large site for the first time, and again after
// changes, and tells the processor time of a build. Run it with
// -benchtime=3x; on a disk with 1x, one at a time and minutes apart, since ext4
// makes files slowly after many were removed.
func BenchmarkLarge(b *testing.B) {
	paths := largePaths()
	for _, test := range []struct {
		name  string
		share int // one file in so many changes
	}{{"floor", 0}, {"full", 0}, {"changed=6%", 17}, {"changed=1%", 100}, {"changed=0", 0}, {"changed=all", 1}} {
		b.Run(test.name, func(b *testing.B) {
			places(b, func(b *testing.B, dir string) {
				round, public := 0, filepath.Join(dir, "public")
				build := func() {
					if _, err := output.Publish(b.Context(), public, largeFiles(paths, test.share, round), output.Options{Jobs: 2}); err != nil {
						b.Fatal(err)
					}
					round++
				}
				clear := func() {
					for _, name := range []string{"public", ".public.ayna"} {
						if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
							b.Fatal(err)
						}
					}
					syscall.Sync()
				}
				fresh := test.name == "full" || test.name == "floor"
				for range 3 {
					if !fresh {
						build()
					}
				}
				var user, system time.Duration
				for b.Loop() {
					b.StopTimer()
					if fresh {
						clear()
					}
					userBefore, systemBefore := processor(b)
					b.StartTimer()
					if test.name == "floor" {
						writeFloor(b, public, largeFiles(paths, 0, 0))
					} else {
						build()
					}
					b.StopTimer()
					userAfter, systemAfter := processor(b)
					user, system = user+userAfter-userBefore, system+systemAfter-systemBefore
					b.StartTimer()
				}
				b.ReportMetric(user.Seconds()/float64(b.N), "user-s/op")
				b.ReportMetric(system.Seconds()/float64(b.N), "sys-s/op")
			})
		})
	}
}

// writeFloor writes the files and does nothing else.
func writeFloor(b *testing.B, dir string, files iter.Seq2[output.File, error]) {
	var buffer bytes.Buffer
	for file := range files {
		buffer.Reset()
		file.Write(b.Context(), &buffer)
		name := filepath.Join(dir, file.Path)
		if err := os.WriteFile(name, buffer.Bytes(), 0o644); err != nil {
			os.MkdirAll(filepath.Dir(name), 0o755)
			if err := os.WriteFile(name, buffer.Bytes(), 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
}
