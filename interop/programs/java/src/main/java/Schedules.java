import com.google.gson.Gson;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.enums.v1.ScheduleOverlapPolicy;
import io.temporal.api.operatorservice.v1.AddSearchAttributesRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.schedules.*;
import io.temporal.common.RetryOptions;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributes;
import io.temporal.serviceclient.OperatorServiceStubs;
import io.temporal.serviceclient.OperatorServiceStubsOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * The schedule client of Temporal's Java SDK: every verb, on the server whose address is given. No worker runs, so a started
 * workflow stays open until the program ends it; that makes overlap exact on every server.
 */
public final class Schedules {
  private static final SearchAttributeKey<String> COLOR = SearchAttributeKey.forKeyword("InteropColor");
  private static final Gson JSON = new Gson();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ScheduleSpec HOURLY =
      ScheduleSpec.newBuilder().setIntervals(List.of(new ScheduleIntervalSpec(Duration.ofHours(1)))).build();

  private final WorkflowClient workflows;
  private final ScheduleClient client;
  private final String prefix;

  private Schedules(WorkflowServiceStubs service, String prefix) {
    this.workflows = WorkflowClient.newInstance(service);
    this.client = ScheduleClient.newInstance(service);
    this.prefix = prefix;
  }

  public static void main(String[] args) throws Exception {
    // Ten seconds, the default, are too short for the first call on a busy machine: two programs start at once.
    WorkflowServiceStubs service =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(args[0]).setRpcTimeout(PATIENCE).setSystemInfoTimeout(PATIENCE).build());
    registerAttribute(args[0]);
    Schedules all = new Schedules(service, args[1]);
    ScheduleHandle handle = all.created();
    all.updated(handle);
    all.paused(handle);
    all.triggered();
    all.backfilled();
    all.overlapping();
    all.listed();
    all.refused();
    all.deleted(handle);
    System.exit(0);
  }

  private static void registerAttribute(String address) {
    OperatorServiceStubs operator =
        OperatorServiceStubs.newServiceStubs(OperatorServiceStubsOptions.newBuilder()
                .setTarget(address)
                .setRpcTimeout(PATIENCE)
                .setSystemInfoTimeout(PATIENCE)
                .validateAndBuildWithDefaults());
    try {
      operator
          .blockingStub()
          .addSearchAttributes(
              AddSearchAttributesRequest.newBuilder()
                  .setNamespace("default")
                  .putSearchAttributes("InteropColor", IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
                  .build());
    } catch (StatusRuntimeException error) {
      if (error.getStatus().getCode() != io.grpc.Status.Code.ALREADY_EXISTS) throw error;
    }
  }

  private ScheduleActionStartWorkflow action(String name, WorkflowOptions.Builder options) {
    return ScheduleActionStartWorkflow.newBuilder()
        .setWorkflowType("report")
        .setArguments(Map.of("full", true))
        .setOptions(options.setWorkflowId(prefix + "-" + name + "-w").setTaskQueue("nobody").build())
        .build();
  }

  private Schedule.Builder schedule(String name, ScheduleSpec spec) {
    return Schedule.newBuilder().setAction(action(name, WorkflowOptions.newBuilder())).setSpec(spec);
  }

  private ScheduleHandle create(String name, Schedule schedule, ScheduleOptions options) {
    return client.createSchedule(prefix + "-" + name, schedule, options);
  }

  private ScheduleHandle create(String name, Schedule schedule) {
    return create(name, schedule, ScheduleOptions.newBuilder().build());
  }

  private static ScheduleState pausedState() {
    return ScheduleState.newBuilder().setPaused(true).build();
  }

  private ScheduleHandle created() {
    WorkflowOptions.Builder options =
        WorkflowOptions.newBuilder()
            .setWorkflowExecutionTimeout(Duration.ofHours(2))
            .setWorkflowRunTimeout(Duration.ofHours(1))
            .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(3).build())
            .setMemo(Map.of("team", "a"));
    ScheduleSpec spec =
        ScheduleSpec.newBuilder()
            .setCalendars(
                List.of(
                    ScheduleCalendarSpec.newBuilder()
                        .setHour(List.of(new ScheduleRange(9, 17, 4)))
                        .setDayOfWeek(List.of(new ScheduleRange(1, 5)))
                        .setComment("office")
                        .build()))
            .setIntervals(List.of(new ScheduleIntervalSpec(Duration.ofDays(1), Duration.ofHours(3))))
            .setCronExpressions(List.of("30 12 1 * *"))
            .setEndAt(Instant.parse("2035-01-01T00:00:00Z"))
            .setTimeZoneName("Europe/Berlin")
            .build();
    Schedule schedule =
        Schedule.newBuilder()
            .setAction(action("full", options))
            .setSpec(spec)
            .setPolicy(
                SchedulePolicy.newBuilder()
                    .setOverlap(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_BUFFER_ONE)
                    .setCatchupWindow(Duration.ofMinutes(5))
                    .setPauseOnFailure(true)
                    .build())
            .setState(
                ScheduleState.newBuilder()
                    .setNote("by hand")
                    .setPaused(true)
                    .setLimitedAction(true)
                    .setRemainingActions(7)
                    .build())
            .build();
    ScheduleHandle handle =
        create(
            "full",
            schedule,
            ScheduleOptions.newBuilder()
                .setMemo(Map.of("why", "because"))
                .setTypedSearchAttributes(SearchAttributes.newBuilder().set(COLOR, "red").build())
                .build());
    ScheduleDescription told = handle.describe();
    ScheduleState state = told.getSchedule().getState();
    check(
        "describe gives the note, the pause and the limit back",
        state.getNote().equals("by hand") && state.isPaused() && state.getRemainingActions() == 7,
        state);
    SchedulePolicy policy = told.getSchedule().getPolicy();
    check(
        "describe gives the policies back",
        policy.getOverlap() == ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_BUFFER_ONE
            && policy.getCatchupWindow().equals(Duration.ofMinutes(5))
            && policy.isPauseOnFailure(),
        policy);
    check("the memo comes back", "because".equals(told.getMemo("why", String.class)), told.getMemo("why", String.class));
    seen("search attributes as described", String.valueOf(told.getTypedSearchAttributes().get(COLOR)));
    seen("calendars and intervals", told.getSchedule().getSpec().getCalendars() + " " + told.getSchedule().getSpec().getIntervals());
    seen("next times", told.getInfo().getNextActionTimes().stream().map(Instant::toString).limit(7).toList());
    return handle;
  }

  private void updated(ScheduleHandle handle) {
    handle.update(
        input -> {
          Schedule before = input.getDescription().getSchedule();
          Schedule after =
              Schedule.newBuilder(before)
                  .setState(ScheduleState.newBuilder(before.getState()).setNote("changed").build())
                  .setPolicy(
                      SchedulePolicy.newBuilder(before.getPolicy())
                          .setOverlap(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL)
                          .build())
                  .build();
          return new ScheduleUpdate(after);
        });
    Schedule told = handle.describe().getSchedule();
    check(
        "an update changes note and policy",
        told.getState().getNote().equals("changed")
            && told.getPolicy().getOverlap() == ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL,
        told);
    seen("calendars after the update", told.getSpec().getCalendars().size());
  }

  private void paused(ScheduleHandle handle) {
    handle.unpause("go on");
    ScheduleState state = handle.describe().getSchedule().getState();
    check("unpause", !state.isPaused() && state.getNote().equals("go on"), state);
    handle.pause("stop");
    state = handle.describe().getSchedule().getState();
    check("pause", state.isPaused() && state.getNote().equals("stop"), state);
  }

  private void triggered() throws InterruptedException {
    ScheduleHandle handle = create("trigger", schedule("trigger", ScheduleSpec.newBuilder().build()).build());
    handle.trigger();
    until("the trigger started a workflow", () -> handle.describe().getInfo().getRecentActions().size() == 1);
    String id = workflowIds(handle).get(0);
    check("a trigger starts a workflow named after the action", id.startsWith(prefix + "-trigger-w-"), id);
    workflows.newUntypedWorkflowStub(id).terminate("enough");
    seen("terminate of a closed workflow", code(() -> workflows.newUntypedWorkflowStub(id).terminate("again")));
    seen("cancel of a closed workflow", code(() -> workflows.newUntypedWorkflowStub(id).cancel()));
  }

  private static List<String> workflowIds(ScheduleHandle handle) {
    return handle.describe().getInfo().getRecentActions().stream()
        .map(each -> ((ScheduleActionExecutionStartWorkflow) each.getAction()).getWorkflowId())
        .sorted()
        .toList();
  }

  private void backfilled() throws InterruptedException {
    ScheduleHandle handle = create("backfill", schedule("backfill", HOURLY).setState(pausedState()).build());
    Instant begin = Instant.parse("2026-03-01T00:00:00Z");
    handle.backfill(
        List.of(
            new ScheduleBackfill(
                begin, begin.plus(Duration.ofHours(3)), ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL)));
    until("the backfill ran", () -> handle.describe().getInfo().getNumActions() >= 4);
    check("a backfill starts each slot, both ends included", handle.describe().getInfo().getNumActions() == 4, "");
    List<String> ids = workflowIds(handle);
    seen("workflow ids of the backfill", ids.stream().map(id -> id.substring(prefix.length())).toList());
    ids.forEach(this::end);
  }

  private void overlapping() throws InterruptedException {
    Instant begin = Instant.parse("2026-04-01T00:00:00Z");
    for (ScheduleOverlapPolicy policy :
        List.of(
            ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_SKIP,
            ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_BUFFER_ALL,
            ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL)) {
      String name = "overlap-" + policy.getNumber();
      ScheduleHandle handle = create(name, schedule(name, HOURLY).setState(pausedState()).build());
      for (int hour = 0; hour < 3; hour++) {
        Instant at = begin.plus(Duration.ofHours(hour));
        handle.backfill(List.of(new ScheduleBackfill(at, at, policy)));
        Thread.sleep(1500);
      }
      seen("overlap " + policy.name(), settled(handle));
      List<String> ids = workflowIds(handle);
      handle.delete();
      ids.forEach(this::end);
    }
  }

  /** Started, skipped and open workflows, once they no longer change. */
  private static Map<String, Long> settled(ScheduleHandle handle) throws InterruptedException {
    Map<String, Long> before = Map.of();
    while (true) {
      ScheduleInfo info = handle.describe().getInfo();
      Map<String, Long> now =
          Map.of(
              "started", info.getNumActions(),
              "skipped", info.getNumActionsSkippedOverlap(),
              "open", (long) info.getRunningActions().size());
      if (now.equals(before)) return now;
      before = now;
      Thread.sleep(1500);
    }
  }

  private void end(String workflowId) {
    code(() -> workflows.newUntypedWorkflowStub(workflowId).terminate("over"));
  }

  private void listed() throws InterruptedException {
    List<String> colors = List.of("green", "green", "yellow");
    for (int index = 0; index < colors.size(); index++) {
      create(
          "list-" + index,
          schedule("list-" + index, HOURLY).setState(pausedState()).build(),
          ScheduleOptions.newBuilder()
              .setTypedSearchAttributes(
                  SearchAttributes.newBuilder().set(COLOR, prefix + "-" + colors.get(index)).build())
              .build());
    }
    String all = String.format("InteropColor IN ('%s-green', '%s-yellow')", prefix, prefix);
    until("the list knows them", () -> ids(all).size() == 3);
    List<String> greens = ids(String.format("InteropColor = '%s-green'", prefix));
    check("a list by search attribute", greens.equals(List.of("list-0", "list-1")), greens);
    seen("an invalid query", code(() -> ids("this is no query")));
  }

  private List<String> ids(String query) {
    return client
        .listSchedules(query, null)
        .map(each -> each.getScheduleId().substring(prefix.length() + 1))
        .sorted()
        .collect(Collectors.toList());
  }

  private void refused() {
    Schedule good = schedule("bad", HOURLY).build();
    ScheduleSpec badCron = ScheduleSpec.newBuilder().setCronExpressions(List.of("not a cron")).build();
    ScheduleHandle missing = client.getHandle(prefix + "-missing");
    create("twice", good);
    seen("create twice", code(() -> create("twice", good)));
    seen("create with a bad cron", code(() -> create("bad", schedule("bad", badCron).build())));
    seen("describe a missing one", code(missing::describe));
    seen("pause a missing one", code(missing::pause));
    seen("delete a missing one", code(missing::delete));
  }

  private void deleted(ScheduleHandle handle) {
    handle.delete();
    check("a deleted schedule is not found", code(handle::describe).endsWith("NOT_FOUND"), code(handle::describe));
    seen("delete twice", code(handle::delete));
  }

  private static void until(String what, BooleanSupplier is) throws InterruptedException {
    for (long end = System.currentTimeMillis() + 30_000; !is.getAsBoolean(); Thread.sleep(100)) {
      if (System.currentTimeMillis() > end) throw new IllegalStateException("not within 30 s: " + what);
    }
  }

  /** The SDK's own error and the gRPC status by name. */
  private static String code(Runnable call) {
    try {
      call.run();
      return "OK";
    } catch (RuntimeException error) {
      for (Throwable cause = error; cause != null; cause = cause.getCause()) {
        if (cause instanceof StatusRuntimeException status) {
          return error.getClass().getSimpleName() + " " + status.getStatus().getCode();
        }
      }
      return error.getClass().getSimpleName();
    }
  }

  private static void check(String name, boolean is, Object why) {
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("check", name);
    found.put("ok", is);
    found.put("why", is ? "" : String.valueOf(why));
    System.out.println(JSON.toJson(found));
  }

  private static void seen(String name, Object value) {
    System.out.println(JSON.toJson(Map.of("seen", name, "value", value)));
  }
}
