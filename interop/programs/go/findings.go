package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/temporal"
)

// check and seen print one line of JSON each, which the suite reads.
func check(name string, is bool, why ...any) {
	found := map[string]any{"check": name, "ok": is, "why": ""}
	if !is {
		found["why"] = fmt.Sprintf("%+v", why)
	}
	say(found)
}

func seen(name string, value any) {
	say(map[string]any{"seen": name, "value": value})
}

func say(found map[string]any) {
	text, err := json.Marshal(found)
	fail(err)
	fmt.Println(string(text))
}

// code is the gRPC status by name, or the SDK's own error.
func code(err error) string {
	switch {
	case err == nil:
		return "OK"
	case errors.Is(err, temporal.ErrScheduleAlreadyRunning):
		return "ErrScheduleAlreadyRunning"
	}
	return serviceerror.ToStatus(err).Code().String()
}

func quiet() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
}
