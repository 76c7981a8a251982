/** Workflows on hosts as text. */
import type { HostEventJson, HostJson, HostRunJson, HostSummaryJson } from 'carillon/client';
import type { Context } from 'carillon/internal/cli';
import { clean, factsText, sinceText, tableText, whenText } from 'carillon/internal/cli';

export function hostsText(items: readonly HostSummaryJson[], { now, colors }: Context): string {
  if (items.length === 0) return 'No workflow is on a host here.\n';
  const rows = items.map((host) => [
    host.id,
    host.status,
    String(host.pending),
    host.oldestAt === null ? '' : sinceText(host.oldestAt, now),
    host.next === null ? '' : whenText(host.next, now),
    host.lastRunAt === null ? '' : `${host.lastOutcome}, ${sinceText(host.lastRunAt, now)}`,
  ]);
  const table = tableText(
    ['WORKFLOW', 'STATUS', 'PENDING', 'OLDEST', 'NEXT', 'LAST RUN'],
    rows,
    colors.stdout,
  );
  const wanted = items.filter(({ attention }) => attention !== null);
  return `${table}${wanted.map(({ id, attention }) => `\n${id}: ${clean(attention ?? '')}\n`).join('')}`;
}

export function hostText(host: HostJson, context: Context): string {
  const { now, colors } = context;
  const { work, paused } = host;
  const facts = factsText(
    [
      ['workflow', host.id],
      ['status', host.status],
      ...(host.attention === null ? [] : ([['to do', clean(host.attention)]] as const)),
      ...(paused === null
        ? []
        : ([
            [
              'paused',
              `by ${paused.by} ${sinceText(paused.at, now)}${paused.note === '' ? '' : `: ${clean(paused.note)}`}`,
            ],
          ] as const)),
      ...(work === null ? [] : ([['work', workText(host, context)]] as const)),
      ['deployed', `version ${host.version}, ${sinceText(host.deployedAt, now)}`],
    ].map(([name, value]) => [name as string, value as string]),
    colors.stdout,
  );
  const producers = tableText(
    ['PRODUCER', 'STATE', 'SCHEDULE', 'NEXT', 'SKIPPED', 'LAST RUN'],
    host.producers.map((each) => [
      each.name,
      each.state,
      'interval' in each.schedule
        ? `every ${each.schedule.interval}`
        : `${each.schedule.cron} ${each.schedule.timezone ?? 'UTC'}`,
      each.next === null ? '' : whenText(each.next, now),
      `${each.skipped}${each.starving ? ' (starving)' : ''}`,
      lastText(each.last, context),
    ]),
    colors.stdout,
  );
  const consumers = tableText(
    ['CONSUMER', 'STATE', 'TOPICS', 'PENDING', 'WAKES', 'LAST RUN'],
    host.consumers.map((each) => [
      each.name,
      each.state,
      each.subscribe.join(', '),
      String(each.pending),
      each.sleepingUntil === null ? '' : `${whenText(each.sleepingUntil, now)}, or an event`,
      lastText(each.last, context),
    ]),
    colors.stdout,
  );
  const topics = tableText(
    ['TOPIC', 'PENDING', 'RESERVED', 'OLDEST', ''],
    host.topics.map((each) => [
      each.name,
      String(each.pending),
      String(each.reserved),
      each.oldestAt === null ? '' : sinceText(each.oldestAt, now),
      [each.stale ? 'stale' : '', each.orphaned ? 'orphaned' : ''].filter((mark) => mark !== '').join(', '),
    ]),
    colors.stdout,
  );
  const tables = [
    host.producers.length > 0 ? producers : '',
    host.consumers.length > 0 ? consumers : '',
    topics,
  ];
  return [facts, ...tables.filter((table) => table !== '')].join('\n');
}

function workText({ work }: HostJson, { now }: Context): string {
  if (work === null) return '';
  const change =
    work.change === null
      ? ''
      : `, change '${work.change.name}' ${work.change.outcome} (key ${work.change.key})`;
  const when =
    work.retryAt === null ? `since ${sinceText(work.since, now)}` : `again ${whenText(work.retryAt, now)}`;
  const waits = work.waitsForNode ? ', waits for a node that knows it' : '';
  return `${work.handler}, ${work.phase}, attempt ${work.attempt}, ${when}${change}${waits}`;
}

function lastText(last: HostJson['producers'][number]['last'], { now }: Context): string {
  if (last === null) return '';
  return `${last.outcome}${last.empty ? ' (nothing to do)' : ''}, ${sinceText(last.endedAt, now)}`;
}

export function hostEventsText(items: readonly HostEventJson[], { now, colors }: Context): string {
  if (items.length === 0) return 'No such event.\n';
  const rows = items.map((event) => [
    event.id,
    event.state,
    sinceText(event.publishedAt, now),
    String(event.attempt),
    event.runId ?? '',
    clean(JSON.stringify(event.payload)).slice(0, 60),
  ]);
  return tableText(['EVENT', 'STATE', 'PUBLISHED', 'ATTEMPT', 'RUN', 'PAYLOAD'], rows, colors.stdout);
}

export function hostRunsText(items: readonly HostRunJson[], { now, colors }: Context): string {
  if (items.length === 0) return 'No run yet.\n';
  const rows = items.map((run) => [
    run.id,
    run.handler,
    run.task,
    run.outcome ?? run.state,
    String(run.workAttempt),
    run.startedAt === null ? '' : sinceText(run.startedAt, now),
    clean(run.failure?.message ?? (run.summary?.empty === true ? 'nothing to do' : '')).slice(0, 80),
  ]);
  return tableText(['RUN', 'HANDLER', 'TASK', 'ENDED', 'ATTEMPT', 'STARTED', ''], rows, colors.stdout);
}
