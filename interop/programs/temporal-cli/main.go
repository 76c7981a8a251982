// Temporal's command line, as its own program starts it. `go install` of it fails where the checksum database does not know one
// of its modules; here the checksums are those that it publishes itself, in go.sum.
package main

import (
	"context"
	_ "time/tzdata"

	"github.com/temporalio/cli/temporalcli"
)

func main() {
	temporalcli.Execute(context.Background(), temporalcli.CommandOptions{})
}
