/** The task token of an activity: the lease of a run. It works from any connection, and only in the namespace inside it. */
import type { LeaseName } from 'carillon/internal/service';
import { badRequest } from '../status.ts';

export interface TaskLease extends LeaseName {
  readonly namespace: string;
}

export function writeTaskToken({ namespace, runId, token }: TaskLease): Uint8Array {
  return Buffer.from(JSON.stringify([namespace, runId, token]));
}

/** Refuses bytes that this server did not write. */
export function readTaskToken(bytes: Uint8Array | null | undefined): TaskLease {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(bytes ?? []).toString());
  } catch {
    parts = undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 3 || parts.some((part) => typeof part !== 'string')) {
    throw badRequest('Task token not set on request, or not one of this server.');
  }
  const [namespace, runId, token] = parts as [string, string, string];
  return { namespace, runId, token };
}
