/** Readers of options that several commands share. */
import { BadValue } from './command.ts';

/** Reads a port; 0 means any free port. */
export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new BadValue('Write a port from 0 to 65535; 0 takes any that is free.');
}

export function readWhole(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new BadValue('Write a whole number.');
}
