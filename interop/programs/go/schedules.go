package main

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

var (
	color  = temporal.NewSearchAttributeKeyKeyword("InteropColor")
	hourly = client.ScheduleSpec{Intervals: []client.ScheduleIntervalSpec{{Every: time.Hour}}}
	ctx    = context.Background()
)

type scenarios struct {
	client client.Client
	prefix string
}

// schedules runs every verb of the schedule client. No worker runs, so a started workflow stays open until it is ended here;
// that makes overlap exact on every server.
func schedules(connection client.Client, prefix string) {
	_, err := connection.OperatorService().AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
		Namespace:        "default",
		SearchAttributes: map[string]enums.IndexedValueType{"InteropColor": enums.INDEXED_VALUE_TYPE_KEYWORD},
	})
	var exists *serviceerror.AlreadyExists
	if err != nil && !errors.As(err, &exists) {
		fail(err)
	}
	all := scenarios{client: connection, prefix: prefix}
	handle := all.created()
	all.updated(handle)
	all.paused(handle)
	all.triggered()
	all.backfilled()
	all.overlapping()
	all.listed()
	all.refused()
	all.deleted(handle)
}

func (s scenarios) action(name string) *client.ScheduleWorkflowAction {
	return &client.ScheduleWorkflowAction{
		ID:        fmt.Sprintf("%s-%s-w", s.prefix, name),
		Workflow:  "report",
		TaskQueue: "nobody",
		Args:      []any{map[string]bool{"full": true}},
	}
}

func (s scenarios) create(name string, options client.ScheduleOptions) (client.ScheduleHandle, error) {
	options.ID = fmt.Sprintf("%s-%s", s.prefix, name)
	if options.Action == nil {
		options.Action = s.action(name)
	}
	return s.client.ScheduleClient().Create(ctx, options)
}

func must[T any](value T, err error) T {
	fail(err)
	return value
}

func describe(handle client.ScheduleHandle) *client.ScheduleDescription {
	return must(handle.Describe(ctx))
}

func (s scenarios) created() client.ScheduleHandle {
	action := s.action("full")
	action.WorkflowExecutionTimeout = 2 * time.Hour
	action.WorkflowRunTimeout = time.Hour
	action.RetryPolicy = &temporal.RetryPolicy{MaximumAttempts: 3, InitialInterval: time.Second, BackoffCoefficient: 2}
	action.Memo = map[string]any{"team": "a"}
	handle := must(s.create("full", client.ScheduleOptions{
		Action: action,
		Spec: client.ScheduleSpec{
			Calendars: []client.ScheduleCalendarSpec{{
				Hour:      []client.ScheduleRange{{Start: 9, End: 17, Step: 4}},
				DayOfWeek: []client.ScheduleRange{{Start: 1, End: 5}},
				Comment:   "office",
			}},
			Intervals:       []client.ScheduleIntervalSpec{{Every: 24 * time.Hour, Offset: 3 * time.Hour}},
			CronExpressions: []string{"30 12 1 * *"},
			Skip: []client.ScheduleCalendarSpec{{
				Month: []client.ScheduleRange{{Start: 12}}, DayOfMonth: []client.ScheduleRange{{Start: 25}},
			}},
			EndAt:        time.Date(2035, 1, 1, 0, 0, 0, 0, time.UTC),
			TimeZoneName: "Europe/Berlin",
		},
		Overlap:               enums.SCHEDULE_OVERLAP_POLICY_BUFFER_ONE,
		CatchupWindow:         5 * time.Minute,
		PauseOnFailure:        true,
		Note:                  "by hand",
		Paused:                true,
		RemainingActions:      7,
		Memo:                  map[string]any{"why": []any{"because", 1}},
		TypedSearchAttributes: temporal.NewSearchAttributes(color.ValueSet("red")),
	}))
	told := describe(handle)
	state, policy := told.Schedule.State, told.Schedule.Policy
	check("describe gives the note, the pause and the limit back",
		state.Note == "by hand" && state.Paused && state.RemainingActions == 7, state)
	check("describe gives the policies back", policy.Overlap == enums.SCHEDULE_OVERLAP_POLICY_BUFFER_ONE &&
		policy.CatchupWindow == 5*time.Minute && policy.PauseOnFailure, policy)
	value, is := told.TypedSearchAttributes.GetKeyword(color)
	check("search attributes come back with their type", is && value == "red", told.TypedSearchAttributes)
	check("the memo comes back", string(told.Memo.GetFields()["why"].GetData()) == `["because",1]`, told.Memo)
	shown := told.Schedule.Action.(*client.ScheduleWorkflowAction)
	seen("action as described", fmt.Sprint(shown.Workflow, shown.TaskQueue, shown.WorkflowExecutionTimeout,
		shown.WorkflowRunTimeout, shown.RetryPolicy.MaximumAttempts))
	spec := told.Schedule.Spec
	seen("spec as described", fmt.Sprintf("%+v %+v %+v %v %v", spec.Calendars, spec.Intervals, spec.Skip, spec.TimeZoneName, spec.EndAt))
	seen("next times", told.Info.NextActionTimes)
	return handle
}

func (s scenarios) updated(handle client.ScheduleHandle) {
	fail(handle.Update(ctx, client.ScheduleUpdateOptions{
		DoUpdate: func(given client.ScheduleUpdateInput) (*client.ScheduleUpdate, error) {
			schedule := given.Description.Schedule
			schedule.Spec.CronExpressions = []string{"0 4 * * *"}
			schedule.State.Note = "changed"
			schedule.Policy.Overlap = enums.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL
			attributes := temporal.NewSearchAttributes(color.ValueSet("blue"))
			return &client.ScheduleUpdate{Schedule: &schedule, TypedSearchAttributes: &attributes}, nil
		},
	}))
	told := describe(handle)
	check("an update changes note and policy", told.Schedule.State.Note == "changed" &&
		told.Schedule.Policy.Overlap == enums.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL, told.Schedule)
	value, _ := told.TypedSearchAttributes.GetKeyword(color)
	check("an update replaces search attributes", value == "blue", value)
	seen("calendars after the update", len(told.Schedule.Spec.Calendars))
}

func (s scenarios) paused(handle client.ScheduleHandle) {
	fail(handle.Unpause(ctx, client.ScheduleUnpauseOptions{Note: "go on"}))
	state := describe(handle).Schedule.State
	check("unpause", !state.Paused && state.Note == "go on", state)
	fail(handle.Pause(ctx, client.SchedulePauseOptions{Note: "stop"}))
	state = describe(handle).Schedule.State
	check("pause", state.Paused && state.Note == "stop", state)
}

func until(what string, is func() bool) {
	for end := time.Now().Add(30 * time.Second); !is(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			fail(fmt.Errorf("not within 30 s: %s", what))
		}
	}
}

func (s scenarios) triggered() {
	handle := must(s.create("trigger", client.ScheduleOptions{}))
	fail(handle.Trigger(ctx, client.ScheduleTriggerOptions{}))
	until("the trigger started a workflow", func() bool { return len(describe(handle).Info.RecentActions) == 1 })
	first := describe(handle).Info.RecentActions[0].StartWorkflowResult
	check("a trigger starts a workflow named after the action",
		strings.HasPrefix(first.WorkflowID, s.prefix+"-trigger-w-"), first)
	told := must(s.client.DescribeWorkflow(ctx, first.WorkflowID, first.FirstExecutionRunID))
	check("the workflow is open", told.Status == enums.WORKFLOW_EXECUTION_STATUS_RUNNING, told.Status)
	fail(s.client.TerminateWorkflow(ctx, first.WorkflowID, "", "enough", map[string]int{"x": 1}))
	err := s.client.GetWorkflow(ctx, first.WorkflowID, "").Get(ctx, nil)
	var terminated *temporal.TerminatedError
	check("who waits for its result learns that it was terminated", errors.As(err, &terminated), err)
	history := s.client.GetWorkflowHistory(ctx, first.WorkflowID, "", false, enums.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT)
	closing := must(history.Next()).GetWorkflowExecutionTerminatedEventAttributes()
	seen("reason and details of a terminate", []string{closing.GetReason(), string(closing.GetDetails().GetPayloads()[0].GetData())})
	seen("cancel of a closed workflow", code(s.client.CancelWorkflow(ctx, first.WorkflowID, "")))
	seen("terminate of a closed workflow", code(s.client.TerminateWorkflow(ctx, first.WorkflowID, "", "")))
}

func (s scenarios) end(info client.ScheduleInfo) {
	for _, each := range info.RecentActions {
		_ = s.client.TerminateWorkflow(ctx, each.StartWorkflowResult.WorkflowID, "", "")
	}
}

func (s scenarios) backfilled() {
	handle := must(s.create("backfill", client.ScheduleOptions{
		Spec: hourly, Paused: true, Overlap: enums.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL,
	}))
	begin := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	fail(handle.Backfill(ctx, client.ScheduleBackfillOptions{
		Backfill: []client.ScheduleBackfill{{Start: begin, End: begin.Add(3 * time.Hour)}},
	}))
	until("the backfill ran", func() bool { return describe(handle).Info.NumActions >= 4 })
	info := describe(handle).Info
	check("a backfill starts each slot, both ends included", info.NumActions == 4, info.NumActions)
	var ids []string
	for _, each := range info.RecentActions {
		ids = append(ids, strings.TrimPrefix(each.StartWorkflowResult.WorkflowID, s.prefix))
	}
	sort.Strings(ids)
	seen("workflow ids of the backfill", ids)
	s.end(info)
}

func (s scenarios) overlapping() {
	begin := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	for _, policy := range []enums.ScheduleOverlapPolicy{
		enums.SCHEDULE_OVERLAP_POLICY_SKIP,
		enums.SCHEDULE_OVERLAP_POLICY_BUFFER_ALL,
		enums.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL,
		enums.SCHEDULE_OVERLAP_POLICY_TERMINATE_OTHER,
	} {
		handle := must(s.create("overlap-"+policy.String(), client.ScheduleOptions{Spec: hourly, Paused: true}))
		for hour := range 3 {
			at := begin.Add(time.Duration(hour) * time.Hour)
			fail(handle.Backfill(ctx, client.ScheduleBackfillOptions{
				Backfill: []client.ScheduleBackfill{{Start: at, End: at, Overlap: policy}},
			}))
			time.Sleep(1500 * time.Millisecond)
		}
		info := settled(handle)
		seen("overlap "+policy.String(), map[string]int{
			"started": info.NumActions, "skipped": info.NumActionsSkippedOverlap, "open": len(info.RunningWorkflows),
		})
		fail(handle.Delete(ctx))
		s.end(info)
	}
}

// settled is the info once it no longer changes.
func settled(handle client.ScheduleHandle) client.ScheduleInfo {
	for before := ""; ; time.Sleep(1500 * time.Millisecond) {
		info := describe(handle).Info
		now := fmt.Sprint(info.NumActions, info.NumActionsSkippedOverlap, len(info.RunningWorkflows))
		if now == before {
			return info
		}
		before = now
	}
}

func (s scenarios) listed() {
	for index, value := range []string{"green", "green", "yellow"} {
		must(s.create(fmt.Sprintf("list-%d", index), client.ScheduleOptions{
			Spec: hourly, Paused: index == 0,
			TypedSearchAttributes: temporal.NewSearchAttributes(color.ValueSet(s.prefix + "-" + value)),
		}))
	}
	all := fmt.Sprintf(`InteropColor IN ("%[1]s-green", "%[1]s-yellow")`, s.prefix)
	until("the list knows them", func() bool { return len(must(s.ids(all))) == 3 })
	greens := must(s.ids(fmt.Sprintf(`InteropColor = "%s-green"`, s.prefix)))
	check("a list by search attribute", fmt.Sprint(greens) == "[list-0 list-1]", greens)
	seen("list by two conditions", must(s.ids(all+" AND TemporalSchedulePaused = true")))
	_, err := s.ids("this is no query")
	seen("an invalid query", code(err))
}

func (s scenarios) ids(query string) ([]string, error) {
	found := []string{}
	list, err := s.client.ScheduleClient().List(ctx, client.ScheduleListOptions{Query: query})
	if err != nil {
		return nil, err
	}
	for list.HasNext() {
		entry, err := list.Next()
		if err != nil {
			return nil, err
		}
		found = append(found, strings.TrimPrefix(entry.ID, s.prefix+"-"))
	}
	sort.Strings(found)
	return found, nil
}

func (s scenarios) refused() {
	missing := s.client.ScheduleClient().GetHandle(ctx, s.prefix+"-missing")
	must(s.create("twice", client.ScheduleOptions{Spec: hourly}))
	attempt := func(name string, options client.ScheduleOptions) string {
		_, err := s.create(name, options)
		return code(err)
	}
	seen("create twice", attempt("twice", client.ScheduleOptions{Spec: hourly}))
	seen("create with a bad cron", attempt("bad", client.ScheduleOptions{
		Spec: client.ScheduleSpec{CronExpressions: []string{"not a cron"}},
	}))
	seen("create with a bad hour", attempt("bad", client.ScheduleOptions{
		Spec: client.ScheduleSpec{Calendars: []client.ScheduleCalendarSpec{{Hour: []client.ScheduleRange{{Start: 25}}}}},
	}))
	seen("create with an unknown attribute", attempt("bad", client.ScheduleOptions{
		Spec: hourly,
		TypedSearchAttributes: temporal.NewSearchAttributes(
			temporal.NewSearchAttributeKeyKeyword("InteropUnknown").ValueSet("x")),
	}))
	_, err := missing.Describe(ctx)
	seen("describe a missing one", code(err))
	seen("pause a missing one", code(missing.Pause(ctx, client.SchedulePauseOptions{})))
	seen("delete a missing one", code(missing.Delete(ctx)))
}

func (s scenarios) deleted(handle client.ScheduleHandle) {
	fail(handle.Delete(ctx))
	_, err := handle.Describe(ctx)
	check("a deleted schedule is not found", code(err) == "NotFound", err)
	seen("delete twice", code(handle.Delete(ctx)))
}
