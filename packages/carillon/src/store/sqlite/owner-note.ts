/**
 * The note in the lock file: which process owns a SQLite file. An opener that got the lock although the note names
 * another process reads it to find out whether that process is still alive, because a lock of the operating system can
 * be lost while its holder lives.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface OwnerNote {
  /** Random, new with every opening; the fence in the database has the same value. */
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  /** Boot of the machine and namespace of its process ids: a pid is meaningful only within both. Empty: unknown. */
  readonly boot: string;
  /** When the process started, in the system's own ticks; empty where the system does not say. */
  readonly started: string;
}

/** The note of this process. `host` replaces the machine's name. */
export function ownNote(host: string = hostname()): OwnerNote {
  return {
    token: randomBytes(16).toString('hex'),
    pid: process.pid,
    host,
    boot: bootOfThisMachine(),
    started: startOf(process.pid) ?? '',
  };
}

/**
 * - `go`: no process has the file, as far as this process can find out.
 * - `refuse`: the process of the note is alive.
 * - `watch`: only its heartbeat shows whether the process is alive.
 */
export type NoteDecision = 'go' | 'refuse' | 'watch';

/** Decides on a note in the lock file for a process that took the lock. `startOf` looks a pid up. */
export function checkNote(
  left: OwnerNote | null,
  own: OwnerNote,
  startOf: (pid: number) => string | undefined,
): NoteDecision {
  if (left === null) return 'go';
  if (left.host !== own.host || left.boot !== own.boot) return 'watch';
  // This process knows its open files from a table, so the note is an old one of its own.
  if (left.pid === own.pid && left.started === own.started) return 'go';
  const started = startOf(left.pid);
  if (started === undefined) return 'go';
  if (started === '' || left.started === '') return 'watch';
  return started === left.started ? 'refuse' : 'go';
}

/** The start time of a living process; empty when the system does not say, undefined when there is no such process. */
export function startOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  try {
    // The name in parentheses may contain spaces; the start time is the twentieth field after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; its parent has only not read its exit status yet.
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return fields[19] ?? '';
  } catch {
    return '';
  }
}

function bootOfThisMachine(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}

const mark = 'carillon-owner';

export function encodeNote(note: OwnerNote): string {
  return JSON.stringify({ [mark]: 1, ...note });
}

/** The note in the bytes of a lock file; null when there is none. */
export function findNote(bytes: string): OwnerNote | null {
  const start = bytes.indexOf(`{"${mark}"`);
  if (start < 0) return null;
  try {
    const { token, pid, host, boot, started } = JSON.parse(
      bytes.slice(start, bytes.indexOf('}', start) + 1),
    ) as Partial<OwnerNote>;
    return {
      token: String(token),
      pid: Number(pid),
      host: String(host),
      boot: String(boot),
      started: String(started),
    };
  } catch {
    return null;
  }
}

export function wordsFor(note: OwnerNote | null): string {
  if (note === null) return 'another process';
  return `the process with pid ${note.pid} on host ${note.host}`;
}
