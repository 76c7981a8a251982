/** The positions of the rows of the timeline, in pixels from its top. */
export const axisY = 42;
export const changesY = 58;
export const slotsY = 102;
export const runsY = 130;
export const laneHeight = 21;
export const barHeight = 15;
/** The width of the gutter with the names of the rows; below 700 px there is no room for it. */
export const gutterWidth = 72;
export const gutterFrom = 700;
/** How far slots by hand are drawn above the line. */
export const handLift = 21;

export interface Rows {
  readonly labelsY: number;
  readonly height: number;
}

export function rowsOf(lanes: number): Rows {
  const labelsY = runsY + Math.max(2, lanes) * laneHeight + 15;
  return { labelsY, height: labelsY + 14 };
}
