/**
 * How far each entry of the history was scrolled when it was left. Kept for the tab, so that a reload knows it too; an address
 * that is opened anew begins at the top.
 */
const name = 'carillon.heights';
/** Entries of the history; the oldest are forgotten first. */
const mostKept = 100;

const heights = new Map<string, number>(kept());

function kept(): readonly (readonly [string, number])[] {
  const [navigation] = performance.getEntriesByType('navigation');
  if ((navigation as PerformanceNavigationTiming | undefined)?.type === 'navigate') return [];
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(name) ?? '[]');
    return Array.isArray(read) ? (read as readonly (readonly [string, number])[]) : [];
  } catch {
    // A browser that keeps nothing, or a text that another page wrote.
    return [];
  }
}

function entry(): string {
  return (history.state as { readonly entry?: string } | null)?.entry ?? 'first';
}

export function newEntry(): { readonly entry: string } {
  return { entry: Math.random().toString(36).slice(2) };
}

/** How far the present entry was scrolled when it was left; a new one begins at the top. */
export function keptHeight(): number {
  return heights.get(entry()) ?? 0;
}

/**
 * Whether the screen of the present entry is drawn. Before that its height is not its own: it is that of the screen before, or of the
 * painted frame, which the browser may scroll after a reload.
 */
let isDrawn = false;

/** The screen of the present entry is drawn: from now on scrolling is noted. */
export function keepHeights(): void {
  isDrawn = true;
}

/** The present entry is left. The event of a movement comes with the next frame only, so the height is noted here too. */
export function leaveEntry(): void {
  noteHeight();
  enterEntry();
}

/** Another entry is the present one, and its screen is not drawn yet. */
export function enterEntry(): void {
  isDrawn = false;
}

function noteHeight(): void {
  if (!isDrawn) return;
  heights.delete(entry());
  heights.set(entry(), scrollY);
}

addEventListener('scroll', noteHeight, { passive: true });
// The page scrolls when the screen is drawn, which the browser cannot know; a reload it does better itself.
history.scrollRestoration = 'manual';
addEventListener('pagehide', () => {
  history.scrollRestoration = 'auto';
  noteHeight();
  try {
    sessionStorage.setItem(name, JSON.stringify([...heights].slice(-mostKept)));
  } catch {
    // A browser that keeps nothing.
  }
});
addEventListener('pageshow', () => {
  history.scrollRestoration = 'manual';
});
