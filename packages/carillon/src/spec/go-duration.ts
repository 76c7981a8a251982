/**
 * Durations as Go writes them (`1h30m`, `1.5h`, `250ms`), plus `d` for 24 hours. Error texts are Go's own,
 * since they travel to clients. Exact in nanoseconds.
 */
import type { Parsed } from './parsed.ts';
import { failure, problem, success } from './parsed.ts';

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
};
const largest = 2n ** 63n - 1n;

/** Nanoseconds, possibly negative. */
export function parseGoDuration(text: string): Parsed<bigint> {
  const invalid = () => refuse(`time: invalid duration ${JSON.stringify(text)}`);
  const refuse = (message: string): Parsed<bigint> =>
    failure([problem('', 'DURATION', message, 'write a number with a unit, such as 15m, 1h30m, 90s or 2d')]);
  let rest = text;
  const negative = rest.startsWith('-');
  if (/^[+-]/.test(rest)) rest = rest.slice(1);
  if (rest === '0') return success(0n);
  if (rest === '') return invalid();
  let total = 0n;
  while (rest !== '') {
    const number = /^(\d*)(?:\.(\d*))?/.exec(rest);
    const [whole = '', digits = '', fraction = ''] = number ?? [];
    if (digits === '' && fraction === '') return invalid();
    rest = rest.slice(whole.length);
    const unitText = /^[^.\d]*/.exec(rest)?.[0] ?? '';
    if (unitText === '') return refuse(`time: missing unit in duration ${JSON.stringify(text)}`);
    const unit = Object.hasOwn(units, unitText) ? units[unitText] : undefined;
    if (unit === undefined) {
      return refuse(`time: unknown unit ${JSON.stringify(unitText)} in duration ${JSON.stringify(text)}`);
    }
    rest = rest.slice(unitText.length);
    total += BigInt(digits || '0') * unit;
    if (fraction !== '') {
      const kept = fraction.slice(0, 30);
      total += (BigInt(kept) * unit) / 10n ** BigInt(kept.length);
    }
    if (total > largest) return invalid();
  }
  return success(negative ? -total : total);
}

/** Whole milliseconds, rounded towards zero. */
export function millisecondsOf(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n);
}
