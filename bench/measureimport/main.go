package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"ayna/archive"
	"ayna/generator/pack"
)

func main() {
	ctx := context.Background()
	switch os.Args[1] {
	case "export":
		a, err := archive.OpenReader(ctx, os.Args[2])
		check(err)
		f, err := os.Create(os.Args[3])
		check(err)
		_, err = pack.JSONL(ctx, a, f, pack.Part{}, nil)
		check(err)
		check(f.Close())
	case "import":
		a, err := archive.Open(ctx, os.Args[2])
		check(err)
		f, err := os.Open(os.Args[3])
		check(err)
		start := time.Now()
		done, err := pack.Import(ctx, a, f, time.UTC, time.Now())
		fmt.Printf("%+v %v %.1f s\n", done, err, time.Since(start).Seconds())
		check(a.Close())
	}
	status, _ := os.ReadFile("/proc/self/status")
	for _, l := range strings.Split(string(status), "\n") {
		if strings.HasPrefix(l, "VmHWM") {
			fmt.Println(l)
		}
	}
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	fmt.Println("CPU", float64(u.Utime.Sec)+float64(u.Stime.Sec))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
