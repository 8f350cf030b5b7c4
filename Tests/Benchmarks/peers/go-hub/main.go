// A hub of server-sent events by Go's net/http, as one would write it: every reader has a channel of
// its own, a PUT goes to all of them.
//
// Usage: go-hub    prints "PORT n" when it listens on a free port of loopback.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
)

type hub struct {
	lock    sync.Mutex
	readers map[chan []byte]struct{}
	version int
}

func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPut {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		h.lock.Lock()
		h.version++
		frame := []byte(fmt.Sprintf("event: delta\nid: %d\ndata: %s\n\n", h.version, body))
		for reader := range h.readers {
			select {
			case reader <- frame:
			default: // A slow reader misses one.
			}
		}
		h.lock.Unlock()
		w.WriteHeader(http.StatusNoContent)
		return
	}
	flusher := w.(http.Flusher)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	frames := make(chan []byte, 16)
	h.lock.Lock()
	h.readers[frames] = struct{}{}
	h.lock.Unlock()
	defer func() {
		h.lock.Lock()
		delete(h.readers, frames)
		h.lock.Unlock()
	}()
	io.WriteString(w, "event: snapshot\ndata: {}\n\n")
	flusher.Flush()
	for {
		select {
		case frame := <-frames:
			if _, err := w.Write(frame); err != nil {
				return
			}
			flusher.Flush()
		case <-r.Context().Done():
			return
		}
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println("PORT", listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, &hub{readers: map[chan []byte]struct{}{}}))
}
