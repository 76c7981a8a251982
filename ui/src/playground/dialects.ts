/** One text read by every dialect. Pure. */
import { compileSpec, dialects, type Instant, parseCron } from 'carillon/spec';

export interface Reading {
  readonly dialect: string;
  readonly ok: boolean;
  /** The first times, or why it cannot be read. */
  readonly times: readonly number[];
  readonly problem: string;
}

const compared = 5;

export function readingsOf(text: string, zone: string, now: number): readonly Reading[] {
  return dialects.map((dialect): Reading => {
    const parsed = parseCron(text, dialect) as {
      readonly ok?: boolean;
      readonly problems?: readonly { readonly message: string }[];
    };
    if (parsed.ok === false) {
      return { dialect, ok: false, times: [], problem: parsed.problems?.[0]?.message ?? 'cannot be read' };
    }
    try {
      const compiled = compileSpec({ cron: [{ text, dialect }], zone });
      const times: number[] = [];
      for (let at = now; times.length < compared; ) {
        const found = compiled.next(at as Instant);
        if (found === undefined) break;
        times.push(found.nominal);
        at = found.nominal;
      }
      return { dialect, ok: true, times, problem: '' };
    } catch (error) {
      return {
        dialect,
        ok: false,
        times: [],
        problem: error instanceof Error ? error.message : String(error),
      };
    }
  });
}

/** Whether two dialects mean the same by the text, as far as the first times tell. */
export function isSame(a: Reading, b: Reading): boolean {
  return a.ok && b.ok && a.times.join() === b.times.join();
}
