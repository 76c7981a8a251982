/**
 * One mark per look on a field of 12 × 12, as data, so that lists draw it as SVG and the timeline on its canvas. A slot that ran
 * has a filled mark; one that did not is an outline. No two marks share a shape, so a print in grey is readable.
 */
import type { Look } from './verdict.ts';

export interface Shape {
  readonly d: string;
  /** `body` is the family's colour, `paper` the background; absent when not filled. */
  readonly fill?: 'body' | 'paper';
  /** The width of a line in the family's colour, or of one cut out of the body. */
  readonly line?: number;
  readonly cut?: number;
  readonly dash?: readonly number[];
}

const disc = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const ring = disc(6, 6, 4.7);
const square =
  'M3 1.600h6a1.400 1.400 0 0 1 1.400 1.400v6a1.400 1.400 0 0 1-1.400 1.400h-6a1.400 1.400 0 0 1-1.400-1.400v-6a1.400 1.400 0 0 1 1.400-1.400z';
const fullSquare =
  'M2.400 1h7.200a1.400 1.400 0 0 1 1.400 1.400v7.200a1.400 1.400 0 0 1-1.400 1.400h-7.200a1.400 1.400 0 0 1-1.400-1.400v-7.200a1.400 1.400 0 0 1 1.400-1.400z';
const hollow = (d: string, line = 1.4): Shape => ({ d, fill: 'paper', line });

export const markShapes: Readonly<Record<Look, readonly Shape[]>> = {
  started: [{ d: disc(6, 6, 4.6), fill: 'body' }],
  startedLate: [
    { d: 'M-1.5 6H4', line: 1.6 },
    { d: disc(7.2, 6, 4.2), fill: 'body' },
  ],
  outcomeForgotten: [
    { d: disc(6, 6, 4.6), fill: 'body' },
    { d: 'M3.700 6h.1M6 6h.1M8.300 6h.1', cut: 1.5 },
  ],
  running: [hollow(disc(6, 6, 4.9)), { d: disc(6, 6, 2.5), fill: 'body' }],
  buffered: [hollow(ring), { d: 'M1.300 6a4.700 4.700 0 0 0 9.400 0z', fill: 'body' }],
  due: [hollow(ring), { d: disc(6, 6, 1.2), fill: 'body' }],
  failed: [
    { d: fullSquare, fill: 'body' },
    { d: 'M3.800 3.800l4.400 4.400M8.200 3.800l-4.400 4.400', cut: 1.5 },
  ],
  timedOut: [
    { d: fullSquare, fill: 'body' },
    { d: 'M6 3v3.200l2.200 1.400', cut: 1.5 },
  ],
  runStopped: [
    { d: disc(6, 6, 5), fill: 'body' },
    { d: 'M4.200 4.200h3.600v3.600h-3.600z', cut: 1.5 },
  ],
  runReplaced: [
    { d: disc(6, 6, 5), fill: 'body' },
    { d: 'M4.200 3.800L6.600 6 4.200 8.200M8.200 3.800v4.400', cut: 1.4 },
  ],
  startFailed: [{ d: 'M2 2l8 8M10 2l-8 8', line: 2 }],
  missedWindow: [hollow('M1.200 2.200h9.600L6 10.400z', 1.5)],
  overdue: [hollow(disc(6, 6, 4.8), 1.5), { d: 'M6 3.200v3.300M6 8.500v.1', line: 1.6 }],
  untaken: [
    { d: disc(6, 6, 4.8), line: 1.5, dash: [2.2, 1.57] },
    { d: disc(6, 6, 1.5), fill: 'body' },
  ],
  noWorker: [
    { d: disc(6, 6, 4.8), line: 1.5, dash: [2.2, 1.57] },
    { d: 'M4.300 4.300l3.400 3.400M7.700 4.300L4.300 7.700', line: 1.4 },
  ],
  quarantined: [
    hollow('M3.500 1h5l2.500 2.500v5l-2.500 2.500h-5l-2.500-2.500v-5z'),
    { d: 'M6 3.400v3M6 8.300v.1', line: 1.5 },
  ],
  skippedOverlap: [hollow('M6 .800L11.200 6 6 11.200.800 6z', 1.5)],
  coalesced: [{ d: 'M1.800 2.200L5.600 6 1.800 9.800M6.200 2.200L10 6 6.200 9.800', line: 1.6 }],
  limitReached: [
    { d: 'M1.400 1.600h9.200', line: 2.4 },
    { d: 'M2 3v7.600h8V3', line: 1.4 },
  ],
  bufferFull: [{ d: 'M1.500 2.400h9M1.500 6h9M1.500 9.600h9', line: 1.8 }],
  alreadyStarted: [hollow(ring, 1.3), { d: 'M3.700 6.200l1.700 1.700 3-3.600', line: 1.4 }],
  workflowBusy: [hollow('M6 .900L11 10.600H1z', 1.4), { d: disc(6, 7.6, 1.2), fill: 'body' }],
  paused: [{ d: 'M3.600 1.600v8.800M8.400 1.600v8.800', line: 2.2 }],
  superseded: [hollow(square), { d: 'M3.600 8.400l4.800-4.800', line: 1.4 }],
  cancelled: [hollow(ring), { d: 'M4.300 4.300l3.400 3.400M7.700 4.300L4.300 7.700', line: 1.3 }],
  blackout: [{ d: square, fill: 'body', line: 0.6 }],
  excluded: [hollow(ring, 1.3), { d: 'M3.600 6h4.800', line: 1.4 }],
  outOfBounds: [{ d: 'M3.500 1.400h4.400v9.200H3.500', line: 1.6 }],
  dstGap: [
    { d: 'M.800 8.200h3M8.200 3.800h3', line: 1.8 },
    { d: 'M4.900 7.100l2.200-2.200', line: 1.3, dash: [1, 1.2] },
  ],
  dstFold: [
    { d: 'M9.800 10.400V5.200a3.300 3.300 0 0 0-6.600 0v3.400', line: 1.5 },
    { d: 'M1.200 7l2 2.200 2-2.200', line: 1.5 },
  ],
  passedOver: [{ d: 'M2.400 1.400h2.400v9.200h-2.400zM7.200 1.400h2.400v9.200h-2.400z', line: 1.1 }],
  notYet: [hollow(disc(6, 6, 2.9), 1.3)],
  likelySkip: [{ d: 'M6 .800L11.200 6 6 11.200.800 6z', fill: 'paper', line: 1.3, dash: [2, 1.6] }],
  notInSpec: [{ d: disc(6, 6, 1.2), fill: 'body' }],
  beforeCreation: [{ d: 'M9.500 2L3.500 6l6 4', line: 1.5 }],
  afterEnd: [{ d: 'M2.500 2l6 4-6 4M10 2v8', line: 1.5 }],
  forgotten: [{ d: disc(6, 6, 4.7), line: 1.2, dash: [1, 1.9] }],
};
