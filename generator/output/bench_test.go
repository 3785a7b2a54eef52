package output_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ayna/generator/output"
)

// benchFiles is a site of many pages of 15 kB in 40 folders, of which changed
// have another key and other bytes.
func benchFiles(n, changed int, round int) iter.Seq2[output.File, error] {
	content := bytes.Repeat([]byte("fifteen bytes. "), 1000)
	return func(yield func(output.File, error) bool) {
		for i := range n {
			version := 0
			if i < changed {
				version = round
			}
			file := output.File{
				Path: fmt.Sprintf("folder%d/a-slug-of-some-length-as-titles-have-%d.html", i%40, i),
				Write: func(_ context.Context, w io.Writer) error {
					fmt.Fprintln(w, i, version)
					_, err := w.Write(content)
					return err
				},
			}
			if !yield(file, nil) {
				return
			}
		}
	}
}

// places are file systems to measure on.
func places(b *testing.B, run func(b *testing.B, dir string)) {
	for _, place := range []struct{ name, dir string }{{"memory", "/dev/shm"}, {"disk", os.TempDir()}} {
		if _, err := os.Stat(place.dir); err != nil {
			continue
		}
		b.Run(place.name, func(b *testing.B) {
			dir, err := os.MkdirTemp(place.dir, "ayna-bench-")
			if err != nil {
				b.Fatal(err)
			}
			defer os.RemoveAll(dir)
			b.ReportAllocs()
			run(b, dir)
		})
	}
}

const benchSize = 10_000

func perFile(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/benchSize, "µs/file")
}

// BenchmarkFloor writes the files and does nothing else.
func BenchmarkFloor(b *testing.B) { benchFloor(b, func(string) {}) }

// BenchmarkSyncedFloor also brings them to disk, as publishing does.
func BenchmarkSyncedFloor(b *testing.B) {
	benchFloor(b, func(dir string) {
		if out, err := exec.Command("sync", "-f", dir).CombinedOutput(); err != nil {
			b.Fatalf("sync: %s", out)
		}
	})
}

func benchFloor(b *testing.B, after func(dir string)) {
	places(b, func(b *testing.B, dir string) {
		for b.Loop() {
			os.RemoveAll(filepath.Join(dir, "public"))
			var buffer bytes.Buffer
			for file := range benchFiles(benchSize, 0, 0) {
				buffer.Reset()
				file.Write(b.Context(), &buffer)
				name := filepath.Join(dir, "public", file.Path)
				if err := os.WriteFile(name, buffer.Bytes(), 0o644); err != nil {
					os.MkdirAll(filepath.Dir(name), 0o755)
					if err := os.WriteFile(name, buffer.Bytes(), 0o644); err != nil {
						b.Fatal(err)
					}
				}
			}
			after(dir)
		}
		perFile(b)
	})
}

func benchPublish(b *testing.B, changed int, before func(dir string)) {
	for _, jobs := range []int{1, 2} {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			places(b, func(b *testing.B, dir string) {
				public, round := filepath.Join(dir, "public"), 0
				for range 3 {
					round++
					output.Publish(b.Context(), public, benchFiles(benchSize, changed, round), output.Options{Jobs: 2})
				}
				for b.Loop() {
					round++
					before(dir)
					if _, err := output.Publish(b.Context(), public, benchFiles(benchSize, changed, round), output.Options{Jobs: jobs}); err != nil {
						b.Fatal(err)
					}
				}
				perFile(b)
			})
		})
	}
}

// BenchmarkFull publishes all files for the first time; the removal of those
// before is measured too, as in the floor.
func BenchmarkFull(b *testing.B) {
	benchPublish(b, 0, func(dir string) {
		os.RemoveAll(filepath.Join(dir, "public"))
		os.RemoveAll(filepath.Join(dir, ".public.ayna"))
	})
}

func BenchmarkUnchanged(b *testing.B)  { benchPublish(b, 0, func(string) {}) }
func BenchmarkOnePercent(b *testing.B) { benchPublish(b, benchSize/100, func(string) {}) }
