/**
 * `carillon/host`: workflows of producers and consumers, run by a Carillon.
 *
 * ```ts
 * const inbox = defineWorkflow({ name: 'inbox', topics: { mail: topic<Mail>() } })
 *   .producer('poll', { schedule: { interval: '5m' }, publishes: ['mail'], handler: async (ctx, state) => { … } })
 *   .consumer('file', { subscribe: ['mail'], prepare: async (ctx) => { … } });
 * const host = createHost({ carillon, workflows: [inbox] });
 * await carillon.start();
 * ```
 */
import type { Problem } from '../base/error.ts';
import { ServiceError } from '../base/error.ts';
import { didYouMean, nearNames } from '../base/near-names.ts';
import { graphOf, graphProblems } from '../host/graph.ts';
import type { SettingsInput } from '../host/settings.ts';
import { defaultSettings, readSettings } from '../host/settings.ts';
import type { PayloadOf, Topics } from '../host/topic.ts';
import type { Workflow } from '../host/workflow.ts';
import { suggesting } from '../service/suggestions.ts';
import type { Carillon } from './carillon.ts';
import type { EmbedHostOptions } from './hosts.ts';
import { Hosts } from './hosts.ts';
import { internalsOf } from './internals.ts';

/** The options of `createHost`. */
export interface HostOptions {
  /** The Carillon whose store the workflows live on. */
  readonly carillon: Carillon;
  /** The workflows of this process, from `defineWorkflow`. */
  // biome-ignore lint/suspicious/noExplicitAny: workflows of every table of topics
  readonly workflows: readonly Workflow<any>[];
  /** Settings of all workflows of this host. */
  readonly settings?: SettingsInput;
  /** Settings of single workflows, by name. */
  readonly workflowSettings?: Readonly<Record<string, SettingsInput>>;
  /** The most runs of all workflows that this process carries out at once. Default 100. */
  readonly concurrency?: number;
}

/** The workflows of this process, and what can be done with them. */
export class Host extends Hosts {
  /** Publishes to a topic of a workflow with its payload type. */
  async send<T extends Topics, Name extends keyof T & string>(
    workflow: Workflow<T>,
    topic: Name,
    message: { readonly id?: string; readonly payload: PayloadOf<T[Name]> },
    options?: EmbedHostOptions,
  ): Promise<{ readonly published: number; readonly ids: readonly string[] }> {
    return await this.publish(workflow.name, topic, message, options);
  }
}

/**
 * Brings workflows to a Carillon; call it before `start()`, which stores them. Every problem of every workflow is in the one
 * error that it throws.
 */
export function createHost(options: HostOptions): Host {
  const { carillon, workflows, settings: shared = {}, workflowSettings = {}, concurrency } = options;
  const problems: Problem[] = [];
  const over = readSettings(shared, defaultSettings, { path: 'settings', problems });
  const known = workflows.map((workflow) => {
    const name = typeof workflow?.name === 'string' ? workflow.name : '?';
    for (const problem of graphProblems(workflow)) {
      problems.push({ ...problem, path: problem.path === '' ? name : `${name}.${problem.path}` });
    }
    const own = workflowSettings[name] ?? {};
    const settings = readSettings(own, over, { path: `workflowSettings.${name}`, problems });
    return { namespace: carillon.namespace, workflow, settings };
  });
  const names = known.map(({ workflow }) => String(workflow?.name));
  for (const name of Object.keys(workflowSettings)) {
    if (names.includes(name)) continue;
    problems.push({
      path: `workflowSettings.${name}`,
      reason: 'UNKNOWN_WORKFLOW',
      message: `there is no workflow '${name}' on this host`,
      fix:
        didYouMean(nearNames(name, names)) ??
        'name a workflow that this host is given, or leave the entry out',
    });
  }
  if (problems.length > 0) throw ServiceError.invalid(problems);
  // Goes through the Carillon's own services, never by an object of this module: the program may have another copy of
  // the library.
  const { services } = internalsOf(carillon);
  const service = services.hosts;
  const complete = known.map((each) => ({ ...each, graph: graphOf(each.workflow) }));
  service.register(complete, concurrency);
  return new Host({
    service: suggesting(service),
    events: services.hostEvents,
    namespace: carillon.namespace,
  });
}

export type {
  Change,
  ChangeOutcome,
  ChangeSteps,
  HandlerContext,
  Message,
  MutateContext,
  PrepareContext,
  Prepared,
  ProducerContext,
  PublishContext,
  Reservation,
  TopicEvent,
} from '../host/context.ts';
export type {
  ConsumerSleptFact,
  ConsumerWokeFact,
  EventsPublishedFact,
  HostBlockedFact,
  HostFact,
  HostRunEndedFact,
  HostRunStartedFact,
  HostUnblockedFact,
  ProducerSlotFact,
  ProducerStarvingFact,
} from '../host/fact.ts';
export type { ConsumerGraph, Graph, ProducerGraph } from '../host/graph.ts';
export type { BegunChange, Phase, Work } from '../host/host.ts';
export type { FailureDetails, RunSummary } from '../host/run-input.ts';
export { ChangeRefused } from '../host/run-input.ts';
export type { HostSettings, SettingsInput } from '../host/settings.ts';
export type { PayloadOf, SchemaIssue, SchemaResult, StandardSchema, Topic, Topics } from '../host/topic.ts';
export { topic } from '../host/topic.ts';
export type { Resolution, Skipped } from '../host/verbs.ts';
export type { HostVerdict } from '../host/verdict.ts';
export type {
  AnyConsumer,
  AnyProducer,
  ConsumerDefinition,
  ProducerDefinition,
  ProducerSchedule,
  Workflow,
  WorkflowBuilder,
} from '../host/workflow.ts';
export { defineWorkflow } from '../host/workflow.ts';
export { NonRetryable } from '../runs/failure.ts';
export type { HostCaller } from '../service/hosts/host-audit.ts';
export type { HostSubject } from '../service/hosts/host-effects.ts';
export type { HostEvent, HostEvents } from '../service/hosts/host-events.ts';
export type {
  HostEventQuery,
  HostLevels,
  HostName,
  HostQuery,
  HostReads,
  HostReadsOptions,
} from '../service/hosts/host-reads.ts';
export type { HostService, HostServiceOptions, PublishedMessage } from '../service/hosts/host-service.ts';
export type { KnownWorkflow, ReloadedWorkflows } from '../service/hosts/known-workflows.ts';
export type { EventName } from '../service/hosts/publish-effects.ts';
export type { EmbedHostOptions, EmbedHostViews, Hosts, HostsOptions } from './hosts.ts';
