/** `carillon host …`: shows and controls workflows on hosts. */
import type { ChangeResolution, HostQuestion, WorkEffects } from 'carillon/client';
import type { Command, Context } from 'carillon/internal/cli';
import {
  BadInput,
  clientOf,
  print,
  type RemoteOptions,
  readWhole,
  remoteHelp,
  remoteOptions,
  sentence,
} from 'carillon/internal/cli';
import type { DryRunOptions } from './dry-run.ts';
import { dryRunOption, printWorkEffects } from './dry-run.ts';
import { hostEventsText, hostRunsText, hostsText, hostText } from './host-view.ts';
import { readJson } from './schedule-options.ts';

interface Noted extends RemoteOptions, DryRunOptions {
  readonly note?: string;
}

interface Listed extends RemoteOptions {
  readonly limit: number;
}

export function declare(group: Command, context: Context): void {
  group
    .summary('look at and change workflows of producers and consumers')
    .description('Works with workflows on hosts.');
  const command = (words: string, summary: string) => {
    const [verb = ''] = words.split(' ');
    const example = `\nExamples:\n  $ carillon host ${examples[verb] ?? verb}\n`;
    return remoteOptions(group.command(words))
      .summary(summary)
      .description(sentence(summary))
      .addHelpText('after', `${example}${remoteHelp}`);
  };
  const hostsOf = (given: RemoteOptions) => clientOf(context, given).hosts;
  const dryRunOf = (given: RemoteOptions) => clientOf(context, given).dryRun;
  const printDryRun = (given: Noted, id: string, effects: WorkEffects) =>
    printWorkEffects(context, given, id, effects);
  const noted = ({ note }: Noted) => (note === undefined ? {} : { note });

  command('list', 'list workflows, and what waits for a person')
    .option('--blocked', 'only those that wait for a person')
    .option('-n, --limit <number>', 'how many', readWhole, 100)
    .action(async (given: Listed & { blocked?: boolean }) => {
      const page = await hostsOf(given).list({
        limit: given.limit,
        ...(given.blocked === true ? { blocked: true } : {}),
      });
      print(context, given.json, page, hostsText(page.items, context));
    });
  command('describe <workflow>', 'show one workflow: topics, producers, consumers, the run under way').action(
    async (id: string, given: RemoteOptions) => {
      const found = await hostsOf(given).describe(id);
      print(context, given.json, found, hostText(found, context));
    },
  );
  for (const verb of ['pause', 'resume'] as const) {
    command(
      `${verb} <workflow>`,
      verb === 'pause' ? 'let only manual runs start' : 'end a pause, or the block of a failed run',
    )
      .option('--note <text>', 'why')
      .option(...dryRunOption)
      .action(async (id: string, given: Noted) => {
        if (given.dryRun === true) return printDryRun(given, id, await dryRunOf(given)[`${verb}Host`](id));
        await hostsOf(given)[verb](id, noted(given));
        print(context, given.json, { ok: true }, `${id} was ${verb === 'pause' ? 'paused' : 'resumed'}.\n`);
      });
  }
  command('trigger <workflow> <handler>', 'start a producer or consumer now')
    .option('--note <text>', 'why')
    .option(...dryRunOption)
    .action(async (id: string, handler: string, given: Noted) => {
      const { producers, consumers } = await hostsOf(given).describe(id);
      const isProducer = producers.some(({ name }) => name === handler);
      if (!isProducer && !consumers.some(({ name }) => name === handler))
        throw new BadInput([
          {
            path: 'handler',
            reason: 'UNKNOWN_HANDLER',
            message: `'${id}' has no producer or consumer '${handler}'`,
            fix: `one of ${[...producers, ...consumers].map(({ name }) => name).join(', ')}`,
          },
        ]);
      const which = isProducer ? { producer: handler } : { consumer: handler };
      if (given.dryRun === true) return printDryRun(given, id, await dryRunOf(given).triggerHost(id, which));
      const answer = await hostsOf(given).trigger(id, which, noted(given));
      const text =
        answer.runId === null
          ? 'It runs when the present run has ended.\n'
          : `Started: run ${answer.runId}\n`;
      print(context, given.json, answer, text);
    });
  command('publish <workflow> <topic> <payload>', 'publish a message; the payload is JSON')
    .option('--id <id>', 'id of the message; the same id twice is one event')
    .option(...dryRunOption)
    .action(async (id: string, topic: string, payload: string, given: Noted & { id?: string }) => {
      const message = {
        payload: readJson(payload),
        ...(given.id === undefined ? {} : { id: given.id }),
      };
      if (given.dryRun === true)
        return printDryRun(given, id, await dryRunOf(given).publishToHost(id, topic, message));
      const answer = await hostsOf(given).publish(id, topic, message);
      print(
        context,
        given.json,
        answer,
        answer.published === 1 ? `Published ${answer.ids[0]}.\n` : 'This id is known already.\n',
      );
    });
  command('events <workflow> <topic>', 'list the events of a topic, oldest first')
    .option('--state <state>', 'pending, reserved, consumed or skipped')
    .option('-n, --limit <number>', 'how many', readWhole, 50)
    .action(async (id: string, topic: string, given: Listed & { state?: 'pending' }) => {
      const page = await hostsOf(given).events(id, topic, {
        limit: given.limit,
        ...(given.state === undefined ? {} : { state: [given.state] }),
      });
      print(context, given.json, page, hostEventsText(page.items, context));
    });
  command('skip <workflow> <topic> <event>', 'set an event aside for good')
    .option('--note <text>', 'why')
    .option(...dryRunOption)
    .action(async (id: string, topic: string, event: string, given: Noted) => {
      if (given.dryRun === true)
        return printDryRun(given, id, await dryRunOf(given).skipEvent(id, topic, event));
      const answer = await hostsOf(given).skip(id, topic, event, noted(given));
      const text =
        answer.outcome === 'skipped'
          ? `${event} was skipped.\n`
          : 'Too late: its run has begun its change.\n';
      print(context, given.json, answer, text);
    });
  command(
    'resolve <workflow> <action>',
    'decide about an uncertain change: happened, didNotHappen, tryAgain or skip',
  )
    .option('--result <json>', 'with happened: what the change returned')
    .option('--note <text>', 'why')
    .option(...dryRunOption)
    .action(async (id: string, action: string, given: Noted & { result?: string }) => {
      const { result } = given;
      // The server refuses an unknown action and lists the known ones.
      const resolution = {
        action,
        ...(result === undefined ? {} : { result: readJson(result) }),
      } as ChangeResolution;
      if (given.dryRun === true)
        return printDryRun(given, id, await dryRunOf(given).resolveChange(id, resolution));
      await hostsOf(given).resolve(id, resolution, noted(given));
      print(context, given.json, { ok: true }, `Resolved: ${action}.\n`);
    });
  for (const verb of ['release', 'delete'] as const) {
    command(
      `${verb} <workflow>`,
      verb === 'release' ? 'take a workflow out of quarantine' : 'close a workflow, with its events',
    )
      .option('--note <text>', 'why')
      .option(...dryRunOption)
      .action(async (id: string, given: Noted) => {
        if (given.dryRun === true) return printDryRun(given, id, await dryRunOf(given)[`${verb}Host`](id));
        await hostsOf(given)[verb](id, noted(given));
        print(context, given.json, { ok: true }, `${id} was ${verb}d.\n`);
      });
  }
  command('runs <workflow>', 'list the runs of a workflow, newest first')
    .option('-n, --limit <number>', 'how many', readWhole, 20)
    .action(async (id: string, given: Listed) => {
      const page = await hostsOf(given).runs(id, { limit: given.limit });
      print(context, given.json, page, hostRunsText(page.items, context));
    });
  command('attempts <workflow> <run>', 'list all attempts of the work that a run belongs to').action(
    async (id: string, run: string, given: RemoteOptions) => {
      const items = await hostsOf(given).attempts(id, run);
      print(context, given.json, { items }, hostRunsText(items, context));
    },
  );
  command(
    'why <workflow> <what> [which]',
    'say why a producer did not run, a consumer sleeps, or an event was not taken',
  ).action(async (id: string, what: string, which: string | undefined, given: RemoteOptions) => {
    const { producers, topics } = await hostsOf(given).describe(id);
    const isProducer = producers.some(({ name }) => name === what);
    const isTopic = topics.some(({ name }) => name === what);
    if ((isProducer || isTopic) && which === undefined)
      throw new BadInput([
        isProducer
          ? {
              path: 'which',
              reason: 'NO_TIME',
              message: 'no due time of the producer was given',
              fix: 'write it after the producer',
            }
          : {
              path: 'which',
              reason: 'NO_EVENT',
              message: 'no event of the topic was given',
              fix: 'write its id after the topic',
            },
      ]);
    const question: HostQuestion = isProducer
      ? { producer: what, at: which as string }
      : isTopic
        ? { topic: what, event: which as string }
        : { consumer: what };
    const answer = await hostsOf(given).explain(id, question);
    print(context, given.json, answer, `${answer.text}\n`);
  });
}

const examples: Readonly<Record<string, string>> = {
  list: 'list --blocked',
  describe: 'describe inbox',
  pause: "pause inbox --note 'mail server is moving'",
  resume: 'resume inbox',
  trigger: 'trigger inbox poll',
  publish: `publish inbox mail '{"subject":"hello"}' --id mail-7`,
  events: 'events inbox mail --state pending',
  skip: 'skip inbox mail mail-7',
  resolve: `resolve inbox happened --result '{"ticket":12}'`,
  release: 'release inbox --dry-run',
  delete: "delete inbox --note 'replaced by mail'",
  runs: 'runs inbox',
  attempts: 'attempts inbox 0mjup12g0-1nym0fe1nwonuf',
  why: 'why inbox poll 2026-03-01T09:00:00Z',
};
