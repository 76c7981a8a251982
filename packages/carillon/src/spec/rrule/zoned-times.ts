/**
 * Puts wall-clock times on the line of instants. The line is cut at the zone's changes of offset; inside a piece
 * a local second L is the instant L − offset, so order is kept and each search asks the local times once per piece.
 * At the borders the DST rule decides:
 *
 *  - gap (clock jumps forward): no piece holds L. `shift` reads it with the offset before the change, which puts it in
 *    the beginning of the piece after, beside that piece's own times; `gapEnd` puts it on the change; `skip` drops it.
 *  - fold (clock jumps back): two pieces hold L. `first` cuts it from the later piece, `last` from the earlier one.
 */
import { type FoldRule, type GapRule, none, type Source, type Zone } from '../model.ts';
import type { LocalTimes } from './local-times.ts';

export interface ResolvedDst {
  readonly gap: GapRule;
  readonly fold: FoldRule;
}

/** 1970-01-01T00:00:00Z and 2100-12-31T23:59:59Z. */
const firstSecond = 0;
const lastSecond = 4_133_980_799;

/** Pieces one search may visit; no zone has had as many changes in 131 years. */
const pieceBudget = 2_000;

interface Piece {
  readonly begin: number;
  /** Exclusive. */
  readonly end: number;
  readonly offset: number;
  /** Local seconds this piece may use, after the fold rule: from (inclusive), to (exclusive). */
  readonly localFrom: number;
  readonly localTo: number;
  /** Offset before `begin`, when the clock jumped forward there. */
  readonly gapFrom: number | undefined;
}

export function zonedTimes(local: LocalTimes, zone: Zone, dst: ResolvedDst, last = lastSecond): Source {
  const end = Math.min(last, lastSecond);

  const next = (afterSecond: number): number => {
    const after = Math.max(Math.floor(afterSecond), firstSecond - 1);
    let piece = pieceAt(zone, dst, after + 1);
    for (let visited = 0; visited < pieceBudget && piece.begin <= end; visited += 1) {
      const found = nextInPiece(local, dst, piece, Math.max(after, piece.begin - 1));
      if (!Number.isNaN(found)) return found <= end ? found : none;
      if (piece.end === Number.POSITIVE_INFINITY) return none;
      piece = pieceAt(zone, dst, piece.end);
    }
    return none;
  };

  const previous = (beforeSecond: number): number => {
    const before = Math.min(Math.ceil(beforeSecond), end + 1);
    let piece = pieceAt(zone, dst, before - 1);
    for (let visited = 0; visited < pieceBudget && piece.end > firstSecond; visited += 1) {
      const found = previousInPiece(local, dst, piece, Math.min(before, piece.end));
      if (!Number.isNaN(found)) return found >= firstSecond ? found : none;
      if (piece.begin <= firstSecond) return none;
      piece = pieceAt(zone, dst, piece.begin - 1);
    }
    return none;
  };

  return { next, previous, matches: (second) => next(second - 1) === second };
}

function pieceAt(zone: Zone, dst: ResolvedDst, second: number): Piece {
  const begin = zone.previousTransition(second);
  const end = zone.nextTransition(second);
  const offset = zone.offsetAt(second);
  const before = Number.isFinite(begin) ? zone.offsetAt(begin - 1) : offset;
  const after = Number.isFinite(end) ? zone.offsetAt(end) : offset;
  return {
    begin,
    end,
    offset,
    localFrom: begin + (dst.fold === 'first' ? Math.max(offset, before) : offset),
    localTo: end + (dst.fold === 'last' ? Math.min(offset, after) : offset),
    gapFrom: offset > before && dst.gap !== 'skip' ? before : undefined,
  };
}

function nextInPiece(local: LocalTimes, dst: ResolvedDst, piece: Piece, after: number): number {
  const own = local.next(Math.max(after + piece.offset, piece.localFrom - 1));
  const ownAt = own < piece.localTo ? own - piece.offset : none;
  if (piece.gapFrom === undefined) return ownAt;
  if (dst.gap === 'gapEnd') {
    return after < piece.begin && gapHolds(local, piece) ? piece.begin : ownAt;
  }
  const lost = local.next(Math.max(after, piece.begin - 1) + piece.gapFrom);
  const lostAt = lost < piece.begin + piece.offset ? lost - piece.gapFrom : none;
  return earlier(ownAt, lostAt < piece.end ? lostAt : none);
}

function previousInPiece(local: LocalTimes, dst: ResolvedDst, piece: Piece, before: number): number {
  const own = local.previous(Math.min(before + piece.offset, piece.localTo));
  const ownAt = own >= piece.localFrom ? own - piece.offset : none;
  if (piece.gapFrom === undefined) return ownAt;
  if (dst.gap === 'gapEnd') {
    if (!Number.isNaN(ownAt)) return ownAt;
    return before > piece.begin && gapHolds(local, piece) ? piece.begin : none;
  }
  const lost = local.previous(Math.min(before + piece.gapFrom, piece.begin + piece.offset));
  const lostAt = lost >= piece.begin + piece.gapFrom ? lost - piece.gapFrom : none;
  return -earlier(-ownAt, -lostAt);
}

function gapHolds(local: LocalTimes, piece: Piece): boolean {
  const lost = local.next(piece.begin + (piece.gapFrom ?? 0) - 1);
  return lost < piece.begin + piece.offset;
}

/** The smaller of two numbers, of which either may be `none`. */
function earlier(a: number, b: number): number {
  if (Number.isNaN(a)) return b;
  return Number.isNaN(b) || a < b ? a : b;
}
