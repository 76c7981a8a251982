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

/** At the right of the pointer, or at its left near the edge; never above `top`. */
export function tipPlace(
  { x, y, width, height }: TipBox,
  { top, screenWidth }: { readonly top: number; readonly screenWidth: number },
): { readonly left: number; readonly top: number } {
  const right = x + besidePx;
  const left = right + width > screenWidth - edgePx ? x - besidePx - width : right;
  return { left: Math.max(edgePx, left), top: Math.max(top, edgePx, y - height / 2) };
}
