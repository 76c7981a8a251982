/** `carillon/engine`: durable executions as component trees, for authors of their own archetypes. */

export type { Outage } from '../base/backoff.ts';
export type { AfterCommit, BatchContext, Finishing, Incident, Reported } from './batch.ts';
export { Batch } from './batch.ts';
export type { TreeCommit } from './commit.ts';
export type {
  AnyComponent,
  ChildAt,
  ChildMap,
  Children,
  ChildSlot,
  Component,
  ComponentFields,
  Fact,
  FactOf,
  FactsOf,
  Json,
  NamesOf,
  Packing,
  State,
  StateOf,
  Storage,
  Visibility,
} from './component.ts';
export { defineComponent, factsOf, many, one, stateOf } from './component.ts';
export type { Dispatch } from './dispatch.ts';
export type { PendingTask, StoredDocument, StoredNode, StoredTask } from './document.ts';
export { Engine } from './engine.ts';
export type { Events, LoadedEvents } from './events.ts';
export { readStamp } from './history.ts';
export type { JoinedChanges, WaitingChanges } from './joined-changes.ts';
export type { KeptTree } from './kept-tree.ts';
export type { Library, LibraryFields } from './library.ts';
export { defineLibrary } from './library.ts';
export type { Loading, LoadingOptions } from './loading.ts';
export type { ComponentRef, MutableNode, ReadNode } from './node.ts';
export type { Observer } from './observer.ts';
export type {
  AroundEffect,
  EngineOptions,
  PollOptions,
  Rehearsed,
  Started,
  StartOptions,
  SyncFunction,
  TransactOptions,
  UpdateOptions,
} from './options.ts';
export type { Entry, PartBundle, PartCache } from './part-cache.ts';
export type { Placed, Placement } from './placement.ts';
export type { AnsweredRequest, RequestLog } from './requests.ts';
export type { NameHolder, RefusedNames, RowVersion, RunNames } from './run-names.ts';
export type { Setting, Settings } from './setting.ts';
export { inlineBound } from './settle.ts';
export type { Target } from './target.ts';
export type {
  AnyTask,
  Effect,
  Omitted,
  PureTask,
  SideEffectTask,
  Singleton,
  TaskName,
  TaskRetry,
} from './task.ts';
export { pureTask, sideEffectTask, taskName } from './task.ts';
export type { Emissions, PartReader, Resumption, Tree, TreeOrigin } from './tree.ts';
export type { TreeNode } from './tree-node.ts';
export type { EngineTuning } from './tuning.ts';
export { defaultTuning } from './tuning.ts';
export type { WorkShare } from './work.ts';
