/** The native runtime of the SDK's workers, without its logs; installed once per process by the first file that needs it. */
import { Runtime } from '@temporalio/worker';

const installed = Symbol.for('carillon.test.temporalRuntime');

export function quietRuntime(): void {
  const marked = globalThis as { [installed]?: true };
  if (marked[installed] === true) return;
  marked[installed] = true;
  const log = () => {};
  Runtime.install({
    logger: { log, trace: log, debug: log, info: log, warn: log, error: log },
    telemetryOptions: { logging: { filter: 'off' } },
  });
}
