/** The marks that the view shows, with their words. */
import { Mark } from '../verdict/Mark.tsx';
import type { Look } from '../verdict/verdict.ts';
import { looks } from '../verdict/verdict.ts';
import { binLegend, slotLegend } from './legend.ts';
import type { TimelineData } from './model.ts';
import type { View } from './view.ts';

export function Legend({ data, view }: { readonly data: TimelineData; readonly view: View }) {
  if (data.bins === null) {
    return (
      <span className="legend">
        <Marks of={slotLegend(data, view)} />
      </span>
    );
  }
  const { above, below } = binLegend(data.bins, view);
  return (
    <>
      {above.length > 0 && (
        <span className="legend">
          <span className="t3">above the line: ran</span>
          <Marks of={above} />
        </span>
      )}
      {below.length > 0 && (
        <span className="legend">
          <span className="t3">below: did not</span>
          <Marks of={below} />
        </span>
      )}
    </>
  );
}

function Marks({ of }: { readonly of: readonly Look[] }) {
  return of.map((look) => (
    <span key={look}>
      <Mark look={look} />
      {looks[look].short}
    </span>
  ));
}
