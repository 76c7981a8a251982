/** KeyQueue what the driver throws into the store's three kinds of trouble, in words that say what to do. */
import { isStoreError, StoreError } from '../error.ts';

/** What the first word of a server's refusal means for us. */
const meanings: Readonly<Record<string, string>> = {
  LOADING: 'it is still loading its data',
  READONLY: 'it is a replica and takes no writes',
  MASTERDOWN: 'its master is away',
  CLUSTERDOWN: 'its cluster is down',
  TRYAGAIN: 'its cluster is moving our keys',
  BUSY: 'a script of somebody keeps it busy',
  OOM: 'its memory is full: raise maxmemory, or shorten the retention',
  MISCONF: 'it cannot write to its disk, and therefore takes no writes',
  NOAUTH: 'it wants a password: write redis://:password@host or redis://user:password@host',
  WRONGPASS: 'it does not know this user and password',
  NOPERM: 'this user may not do what a store must: allow scripts, and all keys under the prefix',
};

export function troubleOf(error: unknown, where: string): StoreError {
  if (isStoreError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  const cause = withoutCommand(error);
  const [word = ''] = message.split(' ', 1);
  if (word === 'WRONGTYPE' || message.includes('WRONGTYPE')) {
    return new StoreError(
      'corrupt',
      `${where}: somebody else has written under our prefix: ${message}`,
      cause,
    );
  }
  const isForbidden = message.startsWith('ERR The user executing the script');
  const meaning = meanings[isForbidden ? 'NOPERM' : word.replace(/^-/, '')];
  return new StoreError(
    'unavailable',
    meaning === undefined ? `${where}: ${message}` : `${where}: ${meaning} (${message})`,
    cause,
  );
}

/** The driver hangs the whole command on its errors: passwords, and megabytes of other people's data. */
function withoutCommand(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const bare = new Error(error.message);
  bare.name = error.name;
  if (error.stack !== undefined) bare.stack = error.stack;
  return bare;
}
