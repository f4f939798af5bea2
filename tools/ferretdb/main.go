// Runs FerretDB, an implementation of MongoDB's wire protocol that is independent of MongoDB and of this project, on SQLite:
// ferretdb -directory DIRECTORY [-listen 127.0.0.1:0]. Prints its address; ends on SIGINT and SIGTERM.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"net/url"
	"os"
	"os/signal"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "address to listen on; port 0 takes any free one")
	directory := flag.String("directory", "", "where the databases are kept; must exist")
	flag.Parse()
	if *directory == "" {
		log.Fatal("ferretdb: -directory is missing")
	}
	if err := run(*listen, *directory); err != nil {
		log.Fatalf("ferretdb: %s", err)
	}
}

func run(listen, directory string) error {
	// The databases end with the tests: nobody waits for the disk.
	store := url.URL{Scheme: "file", Opaque: directory + "/", RawQuery: "_pragma=synchronous(off)"}
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: listen},
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
		Handler:   "sqlite",
		SQLiteURL: store.String(),
	})
	if err != nil {
		return err
	}
	stopped, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	done := make(chan error, 1)
	go func() { done <- server.Run(stopped) }()
	fmt.Println(server.MongoDBURI())
	return <-done
}
