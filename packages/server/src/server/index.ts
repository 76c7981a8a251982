/** `@carillon/server`: serves a Carillon over HTTP and gRPC. */

export type { Role } from '../door/access.ts';
export type { SchedulerSettings } from '../door/conductor/settings.ts';
export type { HttpAnswer, HttpDoor, HttpErrors, RefusedRequest } from '../door/http-door.ts';
export type { PageOptions } from '../door/page/page-door.ts';
export type { SettingView } from '../door/server-port.ts';
export type { ClusterTarget, ClusterTargets } from '../door/temporal/cluster-target.ts';
export type { GrpcTls } from '../door/temporal/grpc-peer.ts';
export type {
  Parameters,
  RetryLogic,
  SubWorkflow,
  TaskDefinition,
  TaskTimeoutPolicy,
  TaskType,
  WorkflowDefinition,
  WorkflowTask,
} from '../flow/definition.ts';
export type {
  Definitions,
  RegisteredTaskDefinition,
  RegisteredWorkflowDefinition,
  Stamps,
} from '../flow/definitions.ts';
export type { Flow, FlowOrigin, FlowParent, FlowStatus, FlowTask, TaskStatus } from '../flow/flow.ts';
export type { FlowArchetype, FlowOptions, Flows } from '../flow/flow-archetype.ts';
export { flow } from '../flow/flow-archetype.ts';
export type { FlowChanges, TaskResult } from '../flow/flow-changes.ts';
export type { FlowQuery, FlowReads, FoundFlows, SeenFlow } from '../flow/flow-reads.ts';
export type { FlowStarts, FlowStartsOptions, StartFlow } from '../flow/flow-starts.ts';
export type { HttpTaskOptions } from '../flow/http-task.ts';
export type { Rerun } from '../flow/rerun.ts';
export type { RunScript, Script } from '../flow/script.ts';
export type { TaskEndStatus } from '../flow/task-end.ts';
export type { TaskLog, TaskLogs } from '../flow/task-logs.ts';
export type { Tls } from './app.ts';
export type { DoorOptions } from './assembly.ts';
export type { Config, Setting } from './config.ts';
export { readConfig } from './config.ts';
export type { GrpcOptions, OpenGrpc } from './grpc.ts';
export type { ApiKey } from './keys.ts';
export { hashKey, newKey } from './keys.ts';
export type { LogLevel, LogOptions } from './log.ts';
export { Tally, type TallyOptions } from './metrics/tally.ts';
export type { MountedCaller, MountedCarillon, MountedRequest, MountOptions } from './mount.ts';
export { mountCarillon } from './mount.ts';
export type { RateLimit } from './rate-limit.ts';
export type { RunConfigOptions } from './run-config.ts';
export { runConfig } from './run-config.ts';
export type { Server, ServerOptions } from './server.ts';
export { startServer } from './server.ts';
export type { OpenTemporalHttp } from './temporal-http.ts';
