// SPDX-License-Identifier: Apache-2.0

// Shares ROUNDS: three functions that take 50, 30 and 20 % of the time of two goroutines, and work for the collector of garbage.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

type tree struct{ left, right *tree }

//go:noinline
func half(n int) int {
	total := n
	for i := 0; i < n*5000; i++ {
		total += i ^ total>>3
	}
	return total
}

//go:noinline
func third(n int) int {
	total := n
	for i := 0; i < n*3000; i++ {
		total += i ^ total>>3
	}
	return total
}

//go:noinline
func fifth(n int) int {
	total := n
	for i := 0; i < n*2000; i++ {
		total += i ^ total>>3
	}
	return total
}

//go:noinline
func grow(depth int) *tree {
	if depth == 0 {
		return &tree{}
	}
	return &tree{grow(depth - 1), grow(depth - 1)}
}

func work(rounds int, done *sync.WaitGroup, total *int) {
	defer done.Done()
	for i := 0; i < rounds; i++ {
		*total += half(100) + third(100) + fifth(100)
		if grow(10).left == nil {
			*total++
		}
	}
}

func main() {
	rounds, _ := strconv.Atoi(os.Args[1])
	totals := make([]int, 2)
	var done sync.WaitGroup
	for i := range totals {
		done.Add(1)
		go work(rounds, &done, &totals[i])
	}
	done.Wait()
	fmt.Println(totals[0] == totals[1])
}
