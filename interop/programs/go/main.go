// Temporal's Go SDK against a server: `schedules <address> <prefix>` runs the schedule scenarios, `worker <address> <queue>
// <name>` is an activity worker, `workflows <address> <queue>` a workflow worker.
package main

import (
	"fmt"
	"os"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
)

func main() {
	if len(os.Args) < 4 {
		fail(fmt.Errorf("usage: schedules <address> <prefix> | worker <address> <queue> <name> | workflows <address> <queue>"))
	}
	connection, err := client.Dial(client.Options{HostPort: os.Args[2], Logger: log.NewStructuredLogger(quiet())})
	fail(err)
	defer connection.Close()
	switch os.Args[1] {
	case "worker":
		fail(work(connection, os.Args[3], os.Args[4]))
	case "workflows":
		fail(workflows(connection, os.Args[3]))
	default:
		schedules(connection, os.Args[3])
	}
}

func fail(err error) {
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
