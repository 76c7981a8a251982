/** The position of a note beside the pointer. Pure. */
export interface TipBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The distance from the pointer, so that the note does not cover what it describes. */
const besidePx = 28;
const edgePx = 8;

/** At the right of the pointer, or at its left near the edge; above or below it where neither has room. Never above `top`. */
export function tipPlace(
  { x, y, width, height }: TipBox,
  { top, screenWidth }: { readonly top: number; readonly screenWidth: number },
): { readonly left: number; readonly top: number } {
  const right = x + besidePx;
  const left = x - besidePx - width;
  const highest = Math.max(top, edgePx);
  const farthest = screenWidth - edgePx - width;
  if (right <= farthest || left >= edgePx)
    return { left: right <= farthest ? right : left, top: Math.max(highest, y - height / 2) };
  const above = y - besidePx - height;
  return {
    left: Math.max(edgePx, Math.min(farthest, x - width / 2)),
    top: above >= highest ? above : y + besidePx,
  };
}
