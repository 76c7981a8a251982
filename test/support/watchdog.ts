/**
 * Ends a server of the tests and removes its folder once this process has ended, however it ended: the watchdog holds the
 * other end of a pipe. Detached, because Ctrl-C must not end the watchdog.
 */
import { spawn } from 'node:child_process';

export interface Watchdog {
  /** Ends the server now. */
  readonly close: () => void;
  /** Resolves when server and folder are gone. */
  readonly gone: Promise<void>;
}

/** `ending`: lines of shell that end the server; `$1` is its folder, which is removed afterwards. */
export function watch(home: string, ending: string): Watchdog {
  const script = `cat > /dev/null\n${ending}\nrm -rf "$1"`;
  const child = spawn('/bin/sh', ['-c', script, 'watchdog', home], {
    detached: true,
    // The watchdog finds its tools even if a test changes PATH.
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  child.unref();
  const pipe = child.stdin as typeof child.stdin & { unref?(): void };
  pipe.unref?.();
  const close = () => {
    // The caller of the end waits for it.
    child.ref();
    child.stdin.end();
  };
  return { close, gone };
}
