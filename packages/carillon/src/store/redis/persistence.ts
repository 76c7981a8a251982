/**
 * Whether this Redis keeps its data. The store asks once, when it is opened: a Redis that evicts keys under memory
 * pressure is refused, because it would lose schedules silently; a Redis that does not write to its disk in time
 * causes a warning, because this may be intended.
 */
import { ServiceError } from '../../base/error.ts';
import type { Connection } from './connection.ts';

export interface Expectations {
  readonly allowEviction: boolean;
  readonly warn: (message: string) => void;
}

export async function checkPersistence(
  connection: Connection,
  { allowEviction, warn }: Expectations,
): Promise<void> {
  const settings = await settingsOf(connection);
  if (settings === null) {
    warn(
      `${connection.name}: this user may not read the settings, so whether what is acknowledged is also kept cannot be told; see to it that appendonly is yes, appendfsync is always and maxmemory-policy is noeviction`,
    );
    return;
  }
  const policy = settings.get('maxmemory-policy');
  if (policy !== undefined && policy !== 'noeviction' && !allowEviction) {
    throw new ServiceError({
      code: 'failedPrecondition',
      reason: 'EVICTION_ENABLED',
      message: `${connection.name} forgets keys when its memory is full (maxmemory-policy ${policy}), and schedules would be among them: set maxmemory-policy noeviction, use a Redis of its own, or set allowEviction`,
    });
  }
  if (settings.get('appendonly') === 'no') {
    warn(
      `${connection.name} does not keep acknowledged commits (appendonly no): a restart loses everything since its last snapshot; set appendonly yes and appendfsync always`,
    );
  } else if (settings.get('appendfsync') !== 'always') {
    warn(
      `${connection.name} writes to its disk after it acknowledges a commit (appendfsync ${settings.get('appendfsync')}): a power failure may lose or repeat about a second of decisions; set appendfsync always to keep every one`,
    );
  }
}

/** Null when the server does not answer: managed services often do not. */
async function settingsOf(connection: Connection): Promise<ReadonlyMap<string, string> | null> {
  try {
    const settings = new Map<string, string>();
    for (const name of ['appendonly', 'appendfsync', 'maxmemory-policy']) {
      const [, value] = await connection.call(
        (client) => client.call('CONFIG', 'GET', name) as Promise<readonly string[]>,
      );
      if (value !== undefined) settings.set(name, value);
    }
    return settings;
  } catch {
    return null;
  }
}
