/** Every slot of the range: what ran above the line, what did not below it, as SVG. */
import type { Series } from 'carillon/client';
import { useSmallScreen } from '../parts/small-screen.ts';
import { Tip } from '../parts/Tip.tsx';
import { usePageZone } from '../time/choice.ts';
import { clockText, countText, dayText, lengthText, plural, roughText } from '../time/text.ts';
import type { Piece } from '../timeline/bins.ts';
import { isHollow, stackOf, strengthOf, totalOf, wordsOf } from '../timeline/bins.ts';
import { countsOf } from '../timeline/from-answers.ts';
import type { Bin } from '../timeline/model.ts';
import { Word } from '../verdict/Mark.tsx';
import { looks } from '../verdict/verdict.ts';
import { useBinChoice } from './bin-choice.ts';
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
  const bins = series.bins.map(({ from, verdicts, outcomes }) => ({
    from: Date.parse(from),
    counts: countsOf(verdicts, outcomes),
  }));
  const sides = bins.map((bin) => {
    const { up, down } = stackOf(bin, { full: 1, up: upRoom, down: downRoom });
    return { up: sumOf(up), down: sumOf(down) };
  });
  const mostUp = Math.max(0, ...sides.map(({ up }) => up));
  const mostDown = Math.max(0, ...sides.map(({ down }) => down));
  const full = Math.max(1, mostUp, mostDown);
  const step = width / Math.max(1, bins.length);
  const wide = Math.max(1, step - Math.min(1.5, step / 5));
  const isSmall = useSmallScreen();
  const nearEdge = isSmall ? labelOnPhone : labelElsewhere;
  const { chosen: hover, handlers } = useBinChoice(bins.length);
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
        {...handlers}
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
      <span className="micro absolute top-0 left-0 bg-surface pr-1">
        {mostUp === 0 ? '' : `${roughText(mostUp)} `}ran ↑
      </span>
      {labelled(shades, span, nearEdge).map(({ from, to }) => {
        const place = (from - begin) / span;
        // The label is beside the shaded time, at the side where there is room.
        const isRight = place < nearEdge;
        return (
          <span
            key={from}
            className={`micro absolute top-0 whitespace-nowrap ${isRight ? 'pl-1.5' : '-translate-x-full pr-1.5'}`}
            style={{ left: `${100 * (isRight ? (to - begin) / span : place)}%` }}
          >
            no node{isSmall ? '' : ' alive'}, {lengthText(to - from)}
          </span>
        );
      })}
      <span className="micro absolute bottom-5 left-0 bg-surface pr-1">
        {mostDown === 0 ? '' : `${roughText(mostDown)} `}did not ↓
      </span>
      <TimeLabels from={begin} to={begin + span} />
      <span className="sr" aria-live="polite">
        {chosen === undefined ? '' : spoken(chosen, zone)}
      </span>
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

/** The parts of the width that a label and the word at the left edge need. */
const labelElsewhere = 0.24;
const labelOnPhone = 0.5;

/** The shaded times that get a label: not those that are hardly visible, and not those whose labels would overlap. */
function labelled<T extends { readonly from: number; readonly to: number }>(
  shades: readonly T[],
  span: number,
  nearEdge: number,
): readonly T[] {
  let last = Number.NEGATIVE_INFINITY;
  return shades.filter(({ from, to }) => {
    if (to - from < span / 100 || from - last < span * nearEdge) return false;
    last = from;
    return true;
  });
}

function sumOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { count }) => sum + count, 0);
}

function spoken(bin: Pick<Bin, 'from' | 'counts'>, zone: string): string {
  const words = wordsOf(bin).map(({ look, count }) => `${looks[look].short} ${countText(count)}`);
  return `${dayText(zone, bin.from)} ${clockText(zone, bin.from)}: ${words.join(', ') || 'no slot'}`;
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
