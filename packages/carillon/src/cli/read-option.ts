/** Options that several commands read the same way. */
import { BadValue } from './command.ts';

/** Zero asks the system for any free one. */
export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new BadValue('Write a port from 0 to 65535; 0 takes any that is free.');
}

export function readWhole(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new BadValue('Write a whole number.');
}
