// SPDX-License-Identifier: Apache-2.0

// Mix SECONDS: four functions of random weights, known by the CPU clocks of the threads that execute them (truth.h).
package main

import (
	"math/rand"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID

var spent [4]int64
var sink int64

//go:noinline
func part_0(turns int) {
	for turn := 0; turn < turns; turn++ {
		sink ^= int64(turn) * sink >> 3
	}
}

//go:noinline
func part_1(turns int) {
	for turn := 0; turn < turns; turn++ {
		sink ^= int64(turn) * sink >> 4
	}
}

//go:noinline
func part_2(turns int) {
	for turn := 0; turn < turns; turn++ {
		sink ^= int64(turn) * sink >> 5
	}
}

//go:noinline
func part_3(turns int) {
	for turn := 0; turn < turns; turn++ {
		sink ^= int64(turn) * sink >> 6
	}
}

func clock() int64 {
	var now syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&now)), 0)
	return now.Nano()
}

func work(until time.Time, seed int64, done *sync.WaitGroup) {
	parts := []func(int){part_0, part_1, part_2, part_3}
	chance := rand.New(rand.NewSource(seed))
	runtime.LockOSThread()
	for time.Now().Before(until) {
		part := 0
		for point := chance.Float64() * 10; part < 3 && point >= float64(part+1); part++ {
			point -= float64(part + 1)
		}
		before := clock()
		parts[part](int(chance.ExpFloat64()*200000) + 1)
		atomic.AddInt64(&spent[part], clock()-before)
	}
	done.Done()
}

func main() {
	var done sync.WaitGroup
	var usage syscall.Rusage
	seconds, _ := strconv.ParseFloat(os.Args[1], 64)
	seed, _ := strconv.ParseInt(os.Getenv("TRUTH_SEED"), 10, 64)
	until := time.Now().Add(time.Duration(seconds * float64(time.Second)))
	for i := int64(0); i < 2; i++ {
		done.Add(1)
		go work(until, seed*2+i, &done)
	}
	done.Wait()
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	truth := "total " + strconv.FormatInt(usage.Utime.Nano()+usage.Stime.Nano(), 10) + "\n"
	for part, ns := range spent {
		truth += "cpu " + strconv.Itoa(part) + " " + strconv.FormatInt(ns, 10) + "\n"
	}
	if os.WriteFile(os.Getenv("TRUTH_FILE"), []byte(truth), 0o644) != nil {
		os.Exit(9)
	}
}
