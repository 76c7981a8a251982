/** A run as a server hands it to a worker. */
import type { ClaimedRun } from '../../packages/carillon/src/client/worker-protocol.ts';

export function aClaimedRun(): ClaimedRun {
  return {
    runId: 'r',
    token: 't',
    leaseEndsAt: null,
    namespace: 'default',
    queue: 'default',
    name: 'work',
    attempt: 1,
    priority: 0,
    input: null,
    scheduledAt: '2026-01-01T00:00:00Z',
    dueAt: '2026-01-01T00:00:00Z',
    schedule: null,
    cause: null,
    lastResult: null,
    lastFailure: null,
    previousFailure: null,
    progress: null,
    attemptTimeoutMs: null,
  };
}
