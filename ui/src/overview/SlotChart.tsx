/** Every slot of the range: what ran above the line, what did not below it, as SVG. */
import type { Series } from 'carillon/client';
import { useState } from 'react';
import { Tip } from '../parts/Tip.tsx';
import { usePageZone } from '../time/choice.ts';
import { clockText, dayText, lengthText, plural, roughText } from '../time/text.ts';
import type { Piece } from '../timeline/bins.ts';
import { isHollow, stackOf, strengthOf, totalOf, wordsOf } from '../timeline/bins.ts';
import { countsOf } from '../timeline/from-answers.ts';
import { Word } from '../verdict/Mark.tsx';
import { TimeLabels } from './TimeLabels.tsx';

const width = 1000;
const upRoom = 116;
const downRoom = 40;
const line = upRoom + 14;
const height = line + downRoom + 6;

const colours: Readonly<Record<Piece['kind'], string>> = {
  ran: 'var(--ran-area)',
  late: 'var(--ran-area)',
  faded: 'var(--ran-area)',
  busy: 'var(--busy)',
  failed: 'var(--fail)',
  projected: 'none',
  lost: 'none',
  policy: 'var(--policy)',
  person: 'var(--person)',
  passed: 'none',
  spec: 'var(--spec)',
};

interface SlotChartProps {
  readonly series: Series;
  readonly silences: readonly { readonly from: string; readonly to: string }[];
}

export function SlotChart({ series, silences }: SlotChartProps) {
  const zone = usePageZone();
  const begin = Date.parse(series.from);
  const span = Date.parse(series.to) - begin;
  const shades = silences
    .map(({ from, to }) => ({
      from: Math.max(begin, Date.parse(from)),
      to: Math.min(begin + span, Date.parse(to)),
    }))
    .filter(({ from, to }) => to > from);
  const [hover, setHover] = useState<{ readonly index: number; readonly x: number; readonly y: number }>();
  const bins = series.bins.map(({ from, verdicts, outcomes }) => ({
    from: Date.parse(from),
    counts: countsOf(verdicts, outcomes),
  }));
  const full = Math.max(1, ...bins.map(totalOf));
  const step = width / Math.max(1, bins.length);
  const wide = Math.max(1, step - Math.min(1.5, step / 5));
  const chosen = hover === undefined ? undefined : bins[hover.index];
  return (
    <div className="relative">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="block h-44 w-full"
        role="img"
        aria-label={`${plural(
          bins.reduce((sum, bin) => sum + totalOf(bin), 0),
          'slot',
        )} over time`}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const index = Math.floor(((event.clientX - box.left) / box.width) * bins.length);
          setHover({ index, x: event.clientX, y: event.clientY });
        }}
        onPointerLeave={() => setHover(undefined)}
      >
        <path
          d={`M0 14H${width}M0 ${14 + upRoom / 2}H${width}`}
          stroke="var(--line)"
          vectorEffect="non-scaling-stroke"
        />
        <path d={`M0 ${line}H${width}`} stroke="var(--line-2)" vectorEffect="non-scaling-stroke" />
        {shades.map(({ from, to }) => (
          <rect
            key={from}
            x={((from - begin) / span) * width}
            y={0}
            width={((to - from) / span) * width}
            height={height}
            fill="var(--sunken)"
          />
        ))}
        {bins.map((bin, index) => {
          const { up, down } = stackOf(bin, { full, up: upRoom, down: downRoom });
          let top = line - 1;
          let foot = line + 1;
          return (
            <g key={bin.from} opacity={hover === undefined || hover.index === index ? 1 : 0.75}>
              {up.map((piece) => {
                top -= piece.height;
                return <Block key={piece.kind} piece={piece} x={index * step} y={top} width={wide} />;
              })}
              {down.map((piece) => {
                const y = foot;
                foot += piece.height;
                return <Block key={piece.kind} piece={piece} x={index * step} y={y} width={wide} />;
              })}
            </g>
          );
        })}
      </svg>
      <span className="micro absolute top-0 left-0 bg-surface pr-1">{roughText(full)} ran ↑</span>
      {shades.map(({ from, to }) => (
        <span
          key={from}
          className="micro absolute top-0 -translate-x-full pr-1.5 whitespace-nowrap"
          style={{ left: `${(100 * (from - begin)) / span}%` }}
        >
          no node alive, {lengthText(to - from)}
        </span>
      ))}
      <span className="micro absolute bottom-5 left-0 bg-surface pr-1">did not ↓</span>
      <TimeLabels from={begin} to={begin + span} />
      {hover !== undefined && chosen !== undefined && totalOf(chosen) > 0 && (
        <Tip x={hover.x} y={hover.y}>
          <b>
            {dayText(zone, chosen.from)} {clockText(zone, chosen.from)}
          </b>{' '}
          · {plural(totalOf(chosen), 'slot')}
          {wordsOf(chosen).map(({ look, count }) => (
            <div key={look} className="flex justify-between gap-4">
              <Word look={look} />
              {count}
            </div>
          ))}
        </Tip>
      )}
    </div>
  );
}

function Block({ piece, x, y, width: wide }: { piece: Piece; x: number; y: number; width: number }) {
  return (
    <rect
      x={x}
      y={y}
      width={wide}
      height={Math.max(0.5, piece.height - 0.5)}
      fill={colours[piece.kind]}
      opacity={strengthOf(piece)}
      stroke={isHollow(piece) ? 'var(--fail)' : 'none'}
      vectorEffect="non-scaling-stroke"
    />
  );
}
