/** Stacks the counts of a bin by family: slots that ran upwards, the others downwards. Every family with a count is visible. */
import type { Family, Look } from '../verdict/verdict.ts';
import { familyOf, looks, ran } from '../verdict/verdict.ts';
import type { Bin } from './model.ts';

export interface Piece {
  readonly kind:
    | 'ran'
    | 'late'
    | 'faded'
    | 'busy'
    | 'failed'
    | 'projected'
    | 'lost'
    | 'policy'
    | 'person'
    | 'passed'
    | 'spec';
  readonly count: number;
  /** The height in pixels. */
  readonly height: number;
}

export interface Stack {
  /** The pieces above the line, from the line outwards; `down` has those below it. */
  readonly up: readonly Piece[];
  readonly down: readonly Piece[];
}

export interface StackRoom {
  /** The count that fills the space above the line. */
  readonly full: number;
  readonly up: number;
  readonly down: number;
}

/** The smallest height of a piece in pixels, so that a single failure is visible. */
export const thinnest = 2.5;

const upOrder = ['ran', 'late', 'faded', 'busy', 'projected', 'failed'] as const;
export const downOrder = ['policy', 'person', 'passed', 'spec', 'lost'] as const;

/** Whether a piece is drawn as an outline: slots that were lost or passed over, and slots in the future. */
export function isHollow({ kind }: Piece): boolean {
  return kind === 'lost' || kind === 'projected' || kind === 'passed';
}

/** The opacity of a piece: a late start is weaker than one on time, a forgotten outcome only a shade. */
export function strengthOf({ kind }: Piece): number {
  return kind === 'late' ? 0.55 : kind === 'faded' ? 0.28 : 1;
}

export function stackOf(bin: Pick<Bin, 'counts'>, { full, up, down }: StackRoom): Stack {
  const sums = new Map<Piece['kind'], number>();
  for (const [look, count = 0] of Object.entries(bin.counts) as [Look, number | undefined][]) {
    const kind = kindOf(look);
    sums.set(kind, (sums.get(kind) ?? 0) + count);
  }
  const piecesOf = (kinds: readonly Piece['kind'][], room: number): Piece[] =>
    kinds.flatMap((kind) => {
      const count = sums.get(kind) ?? 0;
      return count === 0 ? [] : [{ kind, count, height: Math.max(thinnest, (count / full) * room) }];
    });
  return { up: fitted(piecesOf(upOrder, up), up + 8), down: fitted(piecesOf(downOrder, down), down) };
}

/** Shrinks the largest piece until all pieces fit. */
function fitted(pieces: Piece[], room: number): readonly Piece[] {
  const over = pieces.reduce((sum, { height }) => sum + height, 0) - room;
  if (over <= 0) return pieces;
  const largest = pieces.reduce((a, b) => (b.height > a.height ? b : a));
  return pieces.map((piece) =>
    piece === largest ? { ...piece, height: Math.max(thinnest, piece.height - over) } : piece,
  );
}

export function kindOf(look: Look): Piece['kind'] {
  if (look === 'notYet' || look === 'likelySkip') return 'projected';
  if (look === 'passedOver') return 'passed';
  if (look === 'startedLate') return 'late';
  if (look === 'outcomeForgotten') return 'faded';
  const family: Family = familyOf(look);
  if (family === 'ran') return 'ran';
  if (family === 'busy') return 'busy';
  if (family === 'fail') return ran(look) ? 'failed' : 'lost';
  return family;
}

export interface Took {
  readonly at: number;
  readonly medianMs: number;
  readonly longestMs: number;
}

/** The durations of runs as lines. A line is interrupted at bins whose slots did not run. */
export function tookSpans(bins: readonly Bin[]): readonly (readonly Took[])[] {
  const spans: Took[][] = [];
  let span: Took[] | undefined;
  for (const { from, to, medianMs, longestMs, counts } of bins) {
    if (medianMs !== null && longestMs !== null) {
      if (span === undefined) {
        span = [];
        spans.push(span);
      }
      span.push({ at: (from + to) / 2, medianMs, longestMs });
    } else if (totalOf({ counts }) > 0) span = undefined;
  }
  return spans;
}

export function totalOf({ counts }: Pick<Bin, 'counts'>): number {
  return Object.values(counts).reduce((sum: number, count) => sum + (count ?? 0), 0);
}

/** The counts with their words, the largest first. */
export function wordsOf({
  counts,
}: Pick<Bin, 'counts'>): readonly { readonly look: Look; readonly count: number }[] {
  return (Object.entries(counts) as [Look, number][])
    .filter(([look, count]) => count > 0 && look in looks)
    .map(([look, count]) => ({ look, count }))
    .sort((a, b) => b.count - a.count);
}
