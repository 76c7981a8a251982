/** The timeline as a table: one row per stretch of equal verdicts, the newest first. */
import { clockText, dayText, lengthText, plural } from '../time/text.ts';
import { zoneLetters } from '../time/zone.ts';
import { Word } from '../verdict/Mark.tsx';
import { totalOf, wordsOf } from './bins.ts';
import type { TimelineData } from './model.ts';
import { rangeText, rowSentence, tableRows } from './table.ts';
import type { View } from './view.ts';

interface SlotTableProps {
  readonly data: TimelineData;
  readonly view: View;
  readonly now: number;
  readonly onExplain: (at: number, byHand?: string) => void;
}

export function SlotTable({ data, view, now, onExplain }: SlotTableProps) {
  const { zone } = data;
  if (data.bins !== null) {
    const bins = data.bins.filter(({ from, to }) => to > view.from && from < view.to).reverse();
    return (
      <Scroller>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Slots</th>
            <th scope="col">What became of them</th>
            <th scope="col" className="num">
              Took
            </th>
          </tr>
        </thead>
        <tbody>
          {bins
            .filter((bin) => totalOf(bin) > 0)
            .map((bin) => (
              <tr key={bin.from}>
                <td className="whitespace-nowrap">
                  {dayText(zone, bin.from)} {clockText(zone, bin.from)}
                </td>
                <td>{totalOf(bin)}</td>
                <td>
                  <span className="legend">
                    {wordsOf(bin).map(({ look, count }) => (
                      <span key={look}>
                        <Word look={look} /> {count}
                      </span>
                    ))}
                  </span>
                </td>
                <td className="num whitespace-nowrap">
                  {bin.medianMs === null ? '' : lengthText(bin.medianMs)}
                </td>
              </tr>
            ))}
        </tbody>
      </Scroller>
    );
  }
  return (
    <Scroller>
      <thead>
        <tr>
          <th scope="col">Slot</th>
          <th scope="col">Verdict</th>
          <th scope="col">Because</th>
          <th scope="col" className="num">
            Took
          </th>
        </tr>
      </thead>
      <tbody>
        {tableRows(data.slots, view).map((row) => {
          const { first, last, count } = row;
          const { run } = last;
          return (
            <tr key={`${first.at} ${first.byHand ?? ''}`}>
              <td className="slot-cell">
                <button type="button" className="link" onClick={() => onExplain(last.at, last.byHand)}>
                  {rangeText(row, zone)}
                </button>{' '}
                <span className="t3">{zoneLetters(zone, first.at)}</span>
              </td>
              <td>
                <span className="flex items-center gap-2 whitespace-nowrap">
                  <Word look={first.look} />
                  {count > 1 && <span className="t3">{plural(count, 'slot')}</span>}
                </span>
              </td>
              <td className="t2">{rowSentence(row, data, now)}</td>
              <td className="num whitespace-nowrap">
                {run === undefined || run.end === null ? '' : lengthText(run.end - run.start)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </Scroller>
  );
}

function Scroller({ children }: { readonly children: React.ReactNode }) {
  return (
    <section className="max-h-80 overflow-auto" tabIndex={0} aria-label="Slots as a table">
      <table className="table">{children}</table>
    </section>
  );
}
