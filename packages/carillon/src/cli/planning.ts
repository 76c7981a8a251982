/** Reads a manifest and the existing schedules, and makes a plan. */
import type { CarillonClient, ScheduleJson } from '../client/index.ts';
import { isCarillonError } from '../client/index.ts';
import type { LiveSchedule, Manifest, OwnedSchedule, PlannedChange } from '../doctor/index.ts';
import type { Context } from './context.ts';
import { BadInput } from './exit.ts';
import { inParallel } from './in-parallel.ts';
import { Progress } from './progress.ts';
import { fileName, manifestParser, readText } from './read-text.ts';
import { clientOf, type RemoteOptions } from './remote.ts';

/** The options of `plan`, `apply`, `prune` and `import --apply`. */
export interface PlanningOptions extends RemoteOptions {
  readonly owner?: string;
  readonly takeOver?: boolean;
  readonly prune?: boolean;
  readonly yes?: boolean;
  readonly quiet?: boolean;
}

/** The plan of one owner in one namespace. */
export interface Group {
  readonly owner: string;
  readonly declaredBy: string;
  readonly namespace: string | undefined;
  readonly client: CarillonClient;
  readonly changes: readonly PlannedChange[];
}

export async function readGroups(
  context: Context,
  file: string,
  given: PlanningOptions,
): Promise<readonly Group[]> {
  const { readManifest } = await import('../doctor/index.ts');
  const read = readManifest(await readText(context, file), {
    ...(given.owner === undefined ? {} : { owner: given.owner }),
    ...(await manifestParser(context)),
  });
  if (!read.ok) {
    throw new BadInput(
      read.problems.map(({ line, path, ...problem }) => ({
        ...problem,
        path: `${fileName(file)}:${line}${path === '' ? '' : ` ${path}`}`,
      })),
    );
  }
  const groups: Group[] = [];
  for (const manifest of read.manifests) groups.push(await planGroup(context, manifest, given));
  return groups;
}

export async function planGroup(
  context: Context,
  manifest: Manifest,
  given: PlanningOptions,
): Promise<Group> {
  const { owner, declaredBy, entries } = manifest;
  const namespace = given.namespace ?? manifest.namespace;
  const client = clientOf(context, { ...given, ...(namespace === undefined ? {} : { namespace }) });
  const isSilent = given.json === true || given.quiet === true;
  const progress = new Progress(context, { label: 'reading', total: entries.length, isSilent });
  const found = await inParallel(
    entries,
    async ({ id, input }) => await readLive(client, id, input.remaining !== undefined),
    (done, { id }) => progress.at(done, id),
  );
  progress.end();
  const owned: OwnedSchedule[] = [];
  for await (const each of client.schedules.each({ owner, limit: 1000 })) owned.push(each);
  const live = new Map(found.flatMap((each) => (each === undefined ? [] : [[each.id, each] as const])));
  const { planChanges } = await import('../doctor/index.ts');
  const changes = planChanges({ owner, declaredBy, entries, live, owned, takeOver: given.takeOver === true });
  return { owner, declaredBy, namespace, client, changes };
}

/** Returns undefined when there is no such schedule, or when it was deleted. */
async function readLive(
  client: CarillonClient,
  id: string,
  withLimit: boolean,
): Promise<LiveSchedule | undefined> {
  let schedule: ScheduleJson;
  try {
    schedule = await client.schedules.describe(id);
  } catch (error) {
    if (isCarillonError(error) && error.code === 'notFound') return undefined;
    throw error;
  }
  if (schedule.status === 'closed') return undefined;
  if (!withLimit) return schedule;
  const { versions } = await client.schedules.versions(id);
  return { ...schedule, askedRemaining: versions.at(-1)?.remaining ?? null };
}
