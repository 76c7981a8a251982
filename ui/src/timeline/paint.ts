/** The page's colours, resolved for the canvas. They are read again when the theme or the person's own colours change. */
import { useMemo, useSyncExternalStore } from 'react';
import { useTheme } from '../app/theme.ts';
import type { Family } from '../verdict/verdict.ts';

const names = [
  'surface',
  'sunken',
  'line',
  'line-2',
  'text',
  'text-2',
  'text-3',
  'ink',
  'on-ink',
  'focus',
  'ran',
  'ran-t',
  'ran-area',
  'busy',
  'busy-t',
  'fail',
  'fail-t',
  'policy',
  'policy-t',
  'person',
  'person-t',
  'spec',
  'spec-t',
] as const;
export type ColourName = (typeof names)[number];

export interface Paint {
  readonly colour: Readonly<Record<ColourName, string>>;
  readonly family: (family: Family) => string;
  readonly sans: string;
}

const forced = matchMedia('(forced-colors: active)');

function watchForced(watcher: () => void): () => void {
  forced.addEventListener('change', watcher);
  return () => forced.removeEventListener('change', watcher);
}

export function usePaint(): Paint {
  const theme = useTheme();
  const isForced = useSyncExternalStore(watchForced, () => forced.matches);
  // biome-ignore lint/correctness/useExhaustiveDependencies: both change what is read from the document
  return useMemo(readPaint, [theme, isForced]);
}

function readPaint(): Paint {
  const probe = document.createElement('span');
  // Otherwise forced colours would make every result the colour of text; the tokens already are the person's colours.
  probe.style.setProperty('forced-color-adjust', 'none');
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const colour = Object.fromEntries(
    names.map((name) => {
      probe.style.color = `var(--${name})`;
      return [name, style.color];
    }),
  ) as Record<ColourName, string>;
  const sans = style.fontFamily;
  probe.remove();
  return { colour, family: (family) => colour[family], sans };
}
