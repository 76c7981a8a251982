/**
 * Maps wall-clock times to instants. Time is divided at the zone's changes of offset; inside a piece, a local second
 * L is the instant L − offset, so order is kept and each search queries the local times once per piece. At the
 * borders the DST rule decides:
 *
 * - gap (clock jumps forward): no piece holds L. `shift` reads it with the offset before the change, which puts it in
 *    the beginning of the piece after, beside that piece's own times; `gapEnd` puts it on the change; `skip` drops it.
 * - fold (clock jumps back): two pieces hold L. `first` cuts it from the later piece, `last` from the earlier one.
 */
import { type Budget, unfinished } from '../budget.ts';
import { type FoldRule, type GapRule, none, type Source, type Zone } from '../model.ts';
import type { LocalTimes } from './local-times.ts';

export interface ResolvedDst {
  readonly gap: GapRule;
  readonly fold: FoldRule;
}

/** 1970-01-01T00:00:00Z and 2100-12-31T23:59:59Z. */
const firstSecond = 0;
const lastSecond = 4_133_980_799;

/** Three days: more than any two clocks can differ, including zones that a client defines. */
const farthest = 259_200;

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

  const next = (afterSecond: number, budget: Budget): number => {
    const after = Math.max(Math.floor(afterSecond), firstSecond - 1);
    for (let piece = pieceAt(zone, dst, after + 1); ; ) {
      if (piece.begin > end) return none;
      const from = Math.max(after, piece.begin - 1);
      if (budget.left < 1) {
        budget.reached = from;
        return unfinished;
      }
      budget.left -= 1;
      const found = nextInPiece(local, dst, piece, from, budget);
      if (found === unfinished) return budget.reached >= end ? none : unfinished;
      if (!Number.isNaN(found)) return found <= end ? found : none;
      if (piece.end === Number.POSITIVE_INFINITY) return none;
      let begin = piece.end;
      if (begin > after + farthest) {
        // A clock that is set back does not show these local times again, so the pieces before the next match are
        // empty.
        const following = local.next(piece.end + piece.offset, budget);
        if (Number.isNaN(following)) return none;
        if (following !== unfinished) begin = Math.max(begin, following - farthest);
      }
      piece = pieceAt(zone, dst, begin);
    }
  };

  const previous = (beforeSecond: number, budget: Budget): number => {
    const before = Math.min(Math.ceil(beforeSecond), end + 1);
    for (let piece = pieceAt(zone, dst, before - 1); ; piece = pieceAt(zone, dst, piece.begin - 1)) {
      if (piece.end <= firstSecond) return none;
      const from = Math.min(before, piece.end);
      if (budget.left < 1) {
        budget.reached = from;
        return unfinished;
      }
      budget.left -= 1;
      const found = previousInPiece(local, dst, piece, from, budget);
      if (found === unfinished) return budget.reached <= firstSecond ? none : unfinished;
      if (!Number.isNaN(found)) return found >= firstSecond ? found : none;
      if (piece.begin <= firstSecond) return none;
    }
  };

  const matches = (second: number, budget: Budget): boolean => {
    if (second < firstSecond || second > end) return false;
    const piece = pieceAt(zone, dst, second);
    const own = second + piece.offset;
    if (own >= piece.localFrom && own < piece.localTo && local.matches(own, budget)) return true;
    if (piece.gapFrom === undefined || budget.left < 0) return false;
    if (dst.gap === 'shift') {
      return second < shiftedEnd(piece, piece.gapFrom) && local.matches(second + piece.gapFrom, budget);
    }
    if (second !== piece.begin) return false;
    const held = gapHolds(local, piece, budget);
    if (held === undefined) budget.left = -1;
    return held === true;
  };

  return { next, previous, matches };
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

/** The instant after the last one that a shifted time of the gap before this piece can fall on. */
function shiftedEnd(piece: Piece, gapFrom: number): number {
  return piece.begin + piece.offset - gapFrom;
}

function nextInPiece(
  local: LocalTimes,
  dst: ResolvedDst,
  piece: Piece,
  after: number,
  budget: Budget,
): number {
  const { begin, end, offset, localFrom, localTo, gapFrom } = piece;
  let lostAt = none;
  if (gapFrom !== undefined && dst.gap === 'gapEnd' && after < begin) {
    const held = gapHolds(local, piece, budget);
    if (held === true) return begin;
    if (held === undefined) {
      budget.reached = after;
      return unfinished;
    }
  } else if (gapFrom !== undefined && dst.gap === 'shift' && after < shiftedEnd(piece, gapFrom) - 1) {
    const lost = local.next(Math.max(after, begin - 1) + gapFrom, budget);
    if (lost === unfinished && budget.reached < begin + offset - 1) {
      budget.reached = after;
      return unfinished;
    }
    if (lost < begin + offset && lost - gapFrom < end) lostAt = lost - gapFrom;
  }
  const own = local.next(Math.max(after + offset, localFrom - 1), budget);
  if (own === unfinished && budget.reached < localTo - 1) {
    const empty = budget.reached - offset;
    if (lostAt <= empty) return lostAt;
    budget.reached = Math.max(after, empty);
    return unfinished;
  }
  return earlier(own < localTo ? own - offset : none, lostAt);
}

function previousInPiece(
  local: LocalTimes,
  dst: ResolvedDst,
  piece: Piece,
  before: number,
  budget: Budget,
): number {
  const { begin, offset, localFrom, localTo, gapFrom } = piece;
  const shifted = gapFrom !== undefined && dst.gap === 'shift' ? shiftedEnd(piece, gapFrom) : begin;
  const own = local.previous(Math.min(before + offset, localTo), budget);
  if (own === unfinished && budget.reached > localFrom) {
    // The times of the gap are not checked yet.
    budget.reached = Math.min(before, Math.max(budget.reached - offset, shifted));
    return unfinished;
  }
  const ownAt = own !== unfinished && own >= localFrom ? own - offset : none;
  if (gapFrom === undefined || dst.gap === 'skip' || ownAt >= shifted) return ownAt;
  if (dst.gap === 'shift') {
    const lost = local.previous(Math.min(before + gapFrom, begin + offset), budget);
    if (lost === unfinished && budget.reached > begin + gapFrom) {
      budget.reached = Math.min(before, shifted);
      return unfinished;
    }
    const lostAt = lost !== unfinished && lost >= begin + gapFrom ? lost - gapFrom : none;
    return -earlier(-ownAt, -lostAt);
  }
  if (before <= begin) return none;
  const held = gapHolds(local, piece, budget);
  if (held !== undefined) return held ? begin : none;
  // Only the change itself is left to check.
  budget.reached = Math.min(before, begin + 1);
  return unfinished;
}

/** Whether a time fell into the gap before this piece; undefined when the budget ended first. */
function gapHolds(local: LocalTimes, piece: Piece, budget: Budget): boolean | undefined {
  const lost = local.next(piece.begin + (piece.gapFrom ?? 0) - 1, budget);
  if (lost !== unfinished) return lost < piece.begin + piece.offset;
  return budget.reached < piece.begin + piece.offset - 1 ? undefined : false;
}

/** The smaller of two numbers, of which either may be `none`. */
function earlier(a: number, b: number): number {
  if (Number.isNaN(a)) return b;
  return Number.isNaN(b) || a < b ? a : b;
}
