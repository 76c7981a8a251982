package main

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// workflows runs the workflow worker of a real server: one workflow that ends at once, one that fails, one that sleeps.
func workflows(connection client.Client, queue string) error {
	runner := worker.New(connection, queue, worker.Options{})
	for name, run := range map[string]any{"quick": quick, "failer": failer, "sleeper": sleeper} {
		runner.RegisterWorkflowWithOptions(run, workflow.RegisterOptions{Name: name})
	}
	if err := runner.Start(); err != nil {
		return err
	}
	fmt.Println("ready")
	select {}
}

func quick(workflow.Context) (string, error) {
	return "done", nil
}

func failer(workflow.Context) error {
	return temporal.NewApplicationError("it broke", "Broken")
}

type sleep struct {
	Ms int64 `json:"ms"`
}

func sleeper(ctx workflow.Context, input sleep) (string, error) {
	return "slept", workflow.Sleep(ctx, time.Duration(input.Ms)*time.Millisecond)
}
