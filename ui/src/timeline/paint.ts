/** The page's colours as the canvas needs them: resolved, read again when the theme changes. */
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
  readonly theme: string;
  readonly colour: Readonly<Record<ColourName, string>>;
  readonly family: (family: Family) => string;
  readonly sans: string;
}

export function readPaint(theme: string): Paint {
  const probe = document.createElement('span');
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
  return { theme, colour, family: (family) => colour[family], sans };
}
