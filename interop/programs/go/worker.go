package main

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
)

// work runs an activity worker that prints what its activities do, so that a test knows when to kill what.
func work(connection client.Client, queue string, name string) error {
	runner := worker.New(connection, queue, worker.Options{Identity: name, DisableWorkflowWorker: true})
	activities := map[string]any{
		"add": func(ctx context.Context, a, b, c int) (map[string]any, error) {
			return map[string]any{"sum": a + b + c, "attempt": told(ctx, "began")}, nil
		},
		"resumes": resumes,
		"flaky":   flaky,
		"broken": func(ctx context.Context) error {
			told(ctx, "began")
			return temporal.NewNonRetryableApplicationError("never", "Broken", nil)
		},
		"waits": waits,
		"slow": func(ctx context.Context, seconds float64) (map[string]any, error) {
			attempt := told(ctx, "began")
			time.Sleep(time.Duration(seconds * float64(time.Second)))
			return map[string]any{"by": name, "attempt": attempt}, nil
		},
	}
	for title, run := range activities {
		runner.RegisterActivityWithOptions(run, activity.RegisterOptions{Name: title})
	}
	if err := runner.Start(); err != nil {
		return err
	}
	fmt.Println("ready")
	select {}
}

func told(ctx context.Context, what string) int {
	info := activity.GetInfo(ctx)
	fmt.Printf("%s %s %d\n", what, info.ActivityType.Name, info.Attempt)
	return int(info.Attempt)
}

func notYet() error {
	return temporal.NewApplicationError("not yet", "Flaky")
}

func resumes(ctx context.Context) ([]map[string]int, error) {
	if told(ctx, "began") == 1 {
		activity.RecordHeartbeat(ctx, map[string]int{"done": 7})
		return nil, notYet()
	}
	var details map[string]int
	err := activity.GetHeartbeatDetails(ctx, &details)
	return []map[string]int{details}, err
}

func flaky(ctx context.Context) (int, error) {
	attempt := told(ctx, "began")
	if attempt < 3 {
		return 0, notYet()
	}
	return attempt, nil
}

func waits(ctx context.Context) error {
	told(ctx, "began")
	for {
		select {
		case <-ctx.Done():
			told(ctx, "cancelled")
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
			activity.RecordHeartbeat(ctx)
		}
	}
}
