/** Checks the address that a server listens on, and finds a free port. */
import { createServer } from 'node:net';
import { ServiceError } from 'carillon/internal/base';

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Every client that reaches the port can start processes and requests, so listening beyond loopback requires keys. */
export function demandSafeBind(host: string, hasKeys: boolean): void {
  if (isLoopback(host) || hasKeys) return;
  throw new ServiceError({
    code: 'invalidArgument',
    reason: 'PUBLIC_WITHOUT_AUTHENTICATION',
    message: `listening on '${host}' would let anyone who can reach this machine control every schedule; configure API keys (carillon key create), or listen on 127.0.0.1`,
  });
}

/** Number of ports to try after the wanted one. */
const mostPorts = 100;

/** The wanted port, or the next free one. Zero lets the system choose. */
export async function freePort(host: string, wanted: number): Promise<number> {
  if (wanted === 0) return 0;
  for (const port of portsFrom(wanted)) if (await isFree(host, port)) return port;
  throw portBusy(wanted);
}

/** The wanted port and those to try after it. */
export function portsFrom(wanted: number): readonly number[] {
  if (wanted === 0) return [0];
  return Array.from({ length: Math.min(mostPorts, 65_536 - wanted) }, (_, more) => wanted + more);
}

export function portBusy(port: number): ServiceError {
  return new ServiceError({
    code: 'failedPrecondition',
    reason: 'PORT_BUSY',
    message: `port ${port} is in use by another process; stop that one, or choose another port`,
  });
}

export async function isFree(host: string, port: number): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
