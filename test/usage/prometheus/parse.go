// Reads a scrape from standard input, as Prometheus does, and prints its series as JSON. The argument is the media type.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
)

type series struct {
	Labels map[string]string `json:"labels"`
	Value  float64           `json:"value"`
}

type scrape struct {
	Types  map[string]string `json:"types"`
	Units  map[string]string `json:"units"`
	Series []series          `json:"series"`
}

func read(text []byte, mediaType string) (scrape, error) {
	found := scrape{Types: map[string]string{}, Units: map[string]string{}}
	parser, err := textparse.New(text, mediaType, "", false, false, false, labels.NewSymbolTable())
	if err != nil {
		return found, err
	}
	for {
		entry, err := parser.Next()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return found, err
		}
		switch entry {
		case textparse.EntryType:
			name, kind := parser.Type()
			found.Types[string(name)] = string(kind)
		case textparse.EntryUnit:
			name, unit := parser.Unit()
			found.Units[string(name)] = string(unit)
		case textparse.EntrySeries:
			var all labels.Labels
			parser.Labels(&all)
			_, _, value := parser.Series()
			found.Series = append(found.Series, series{all.Map(), value})
		}
	}
}

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err == nil {
		var found scrape
		if found, err = read(text, os.Args[1]); err == nil {
			err = json.NewEncoder(os.Stdout).Encode(found)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
