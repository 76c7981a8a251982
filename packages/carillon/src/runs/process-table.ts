/**
 * Recognises processes of this host. A process id alone is not enough: it is used again, and every container counts its
 * own. Together with the boot of the host, the namespace of the ids and the start time of the process it identifies one
 * process for good. Linux only; elsewhere only silence shows that a process is gone.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessTable } from './node-lease.ts';
import type { ProcessMark } from './node-row.ts';

/** Undefined where the system does not say enough. */
export function localProcesses(): ProcessTable | undefined {
  const own = ownMark();
  if (own === undefined) return undefined;
  return {
    own,
    isGone: ({ host, boot, pidSpace, pid, pidStart }: ProcessMark) =>
      host === own.host && boot === own.boot && pidSpace === own.pidSpace && startOf(pid) !== pidStart,
  };
}

function ownMark(): ProcessMark | undefined {
  try {
    const pidStart = startOf(process.pid);
    if (pidStart === undefined) return undefined;
    return {
      host: hostname(),
      boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
      pidSpace: readlinkSync('/proc/self/ns/pid'),
      pid: process.pid,
      pidStart,
    };
  } catch {
    return undefined;
  }
}

/** When a process began, in ticks since the boot; undefined when no process has that id. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses and may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
