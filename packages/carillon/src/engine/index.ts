/** `carillon/engine`: durable executions as component trees, for those who build their own archetypes on it. */

export { Batch } from './batch.ts';
export type { AnyComponent, Component, Fact, FactsOf, Json, State, Visibility } from './component.ts';
export { defineComponent, factsOf, many, one, stateOf } from './component.ts';
export type {
  AroundEffect,
  EngineOptions,
  PollOptions,
  Started,
  StartOptions,
  SyncFunction,
  UpdateOptions,
} from './engine.ts';
export { Engine } from './engine.ts';
export { readStamp } from './history.ts';
export type { Library } from './library.ts';
export { defineLibrary } from './library.ts';
export type { ComponentRef, MutableNode, ReadNode } from './node.ts';
export type { Observer } from './observer.ts';
export type { Placed, Placement } from './placement.ts';
export { inlineBound } from './settle.ts';
export type { Effect, PureTask, RetryPolicy, SideEffectTask, TaskName } from './task.ts';
export { pureTask, sideEffectTask, taskName } from './task.ts';
export type { EngineTuning } from './tuning.ts';
export { defaultTuning } from './tuning.ts';
