/**
 * The scroll position of each entry of the history when it was left. It is stored for the tab, so that it survives a reload; a
 * newly opened address begins at the top.
 */
const name = 'carillon.heights';
/** The most stored entries of the history; the oldest are dropped first. */
const mostKept = 100;

const heights = new Map<string, number>(kept());

function kept(): readonly (readonly [string, number])[] {
  const [navigation] = performance.getEntriesByType('navigation');
  if ((navigation as PerformanceNavigationTiming | undefined)?.type === 'navigate') return [];
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(name) ?? '[]');
    return Array.isArray(read) ? (read as readonly (readonly [string, number])[]) : [];
  } catch {
    // The browser stores nothing, or another page wrote the text.
    return [];
  }
}

function entry(): string {
  return (history.state as { readonly entry?: string } | null)?.entry ?? 'first';
}

export function newEntry(): { readonly entry: string } {
  return { entry: Math.random().toString(36).slice(2) };
}

/** The stored scroll position of the present entry; 0 for a new entry. */
export function keptHeight(): number {
  return heights.get(entry()) ?? 0;
}

/**
 * Whether the screen of the present entry is drawn. Before that, the scroll position belongs to the previous screen or to the
 * painted frame, which the browser may scroll after a reload.
 */
let isDrawn = false;

/** Called when the screen of the present entry is drawn: from now on its scroll position is stored. */
export function keepHeights(): void {
  isDrawn = true;
}

/** Called when the present entry is left. Scroll events arrive one frame late, so the position is stored here too. */
export function leaveEntry(): void {
  noteHeight();
  enterEntry();
}

/** Called when another entry has become the present one and its screen is not drawn yet. */
export function enterEntry(): void {
  isDrawn = false;
}

function noteHeight(): void {
  if (!isDrawn) return;
  heights.delete(entry());
  heights.set(entry(), scrollY);
}

addEventListener('scroll', noteHeight, { passive: true });
// The page scrolls when the screen is drawn, because the browser cannot know when. After a reload the browser does it.
history.scrollRestoration = 'manual';
addEventListener('pagehide', () => {
  history.scrollRestoration = 'auto';
  noteHeight();
  try {
    sessionStorage.setItem(name, JSON.stringify([...heights].slice(-mostKept)));
  } catch {
    // The browser stores nothing.
  }
});
addEventListener('pageshow', () => {
  history.scrollRestoration = 'manual';
});
