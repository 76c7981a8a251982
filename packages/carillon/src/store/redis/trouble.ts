/** Turns errors of the driver into the store's three kinds of error, with messages that say what to do. */
import { isStoreError, StoreError } from '../error.ts';

/** The meaning of the first word of a server's refusal. */
const meanings: Readonly<Record<string, string>> = {
  LOADING: 'it is still loading its data',
  READONLY: 'it is a replica and takes no writes',
  MASTERDOWN: 'its master is away',
  CLUSTERDOWN: 'its cluster is down',
  TRYAGAIN: 'its cluster is moving our keys to another server; work goes on when that is done',
  NOLAYOUT:
    'the data of this store is not there: it was flushed or expired, or this is another server than before. Nothing is written. Restore it, or restart the nodes to begin with an empty store',
  BUSY: 'a script of another client keeps it busy: wait until it ends, or stop it with SCRIPT KILL',
  OOM: 'its memory is full: raise maxmemory, or shorten the retention',
  MISCONF: 'it cannot write to its disk, and therefore takes no writes',
  NOAUTH: 'it wants a password: write redis://:password@host or redis://user:password@host',
  WRONGPASS: 'it does not know this user and password',
  NOPERM: 'this user lacks rights that a store needs: allow scripts, and all keys under the prefix',
};

/** After many redirections the driver hides the server's error behind its own. */
const redirected = /^Too many Cluster redirections\. Last error: (?:ReplyError: )?(.*)$/;

/** The driver's messages when the connection is at fault, and their meaning. */
const lostConnections: readonly (readonly [RegExp, string])[] = [
  [
    /Connection is closed|isn't writeable|max retries per request/,
    'the connection is lost and is being made again; what was under way may or may not have been written. If it stays away, check whether the server runs and can be reached from here',
  ],
  [
    /Socket timeout|Command timed out/,
    'the server has not answered for 15 s, so the connection was given up and is made again. Check whether it is stuck in a long command (SLOWLOG GET), and the network between it and this process',
  ],
  [/ECONNREFUSED/, 'no server listens at this address: start it, or correct host and port'],
  [/ENOTFOUND|EAI_AGAIN/, 'the name of the host is not known: correct it, or check the name service'],
  [/ETIMEDOUT|connect timeout/i, 'the server does not answer: check host, port and firewalls'],
  [/ECONNRESET|EPIPE/, 'the server, or something before it, ended the connection; it is made again'],
  [
    /All sentinels are unreachable/,
    'no Sentinel answers: check the addresses in `sentinels` and the name of the master',
  ],
];

function lostConnection(message: string): string | undefined {
  return lostConnections.find(([pattern]) => pattern.test(message))?.[1];
}

export function troubleOf(error: unknown, where: string): StoreError {
  if (isStoreError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  const cause = withoutCommand(error);
  const [word = ''] = (redirected.exec(message)?.[1] ?? message).split(' ', 1);
  if (word === 'WRONGTYPE' || message.includes('WRONGTYPE')) {
    return new StoreError(
      'corrupt',
      `${where}: another program has written under the prefix of this store: give one of them another prefix (${message})`,
      cause,
    );
  }
  const isForbidden = message.startsWith('ERR The user executing the script');
  const meaning = meanings[isForbidden ? 'NOPERM' : word.replace(/^-/, '')] ?? lostConnection(message);
  return new StoreError(
    'unavailable',
    meaning === undefined ? `${where}: ${message}` : `${where}: ${meaning} (${message})`,
    cause,
  );
}

/** The driver attaches the whole command to its errors: passwords, and megabytes of other people's data. */
function withoutCommand(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const bare = new Error(error.message);
  bare.name = error.name;
  if (error.stack !== undefined) bare.stack = error.stack;
  return bare;
}
