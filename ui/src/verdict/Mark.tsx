import type { Shape } from './mark-shapes.ts';
import { markShapes } from './mark-shapes.ts';
import type { Look } from './verdict.ts';
import { familyOf, wordOf } from './verdict.ts';

export function Mark({ look, label }: { readonly look: Look; readonly label?: string }) {
  const shapes = markShapes[look].map(shapeElement);
  const className = `v f-${familyOf(look)}`;
  if (label === undefined) {
    return (
      <svg className={className} viewBox="0 0 12 12" aria-hidden="true">
        {shapes}
      </svg>
    );
  }
  return (
    <svg className={className} viewBox="0 0 12 12" role="img" aria-label={label}>
      {shapes}
    </svg>
  );
}

/** A shape as an SVG element, also for other drawings, such as the strip; the colour is `currentColor`. */
export function shapeElement({ d, fill, line, cut, dash }: Shape) {
  return (
    <path
      key={d}
      d={d}
      fill={fill === undefined ? 'none' : fill === 'body' ? 'currentColor' : 'var(--surface)'}
      stroke={cut !== undefined ? 'var(--surface)' : line === undefined ? 'none' : 'currentColor'}
      strokeWidth={cut ?? line}
      strokeDasharray={dash?.join(' ')}
      strokeLinecap={dash === undefined ? 'round' : 'butt'}
      strokeLinejoin="round"
    />
  );
}

export function Word({ look, text }: { readonly look: Look; readonly text?: string }) {
  return (
    <span className={`word f-${familyOf(look)}`}>
      <Mark look={look} />
      {text ?? wordOf(look)}
    </span>
  );
}
