/** The six overlap policies as small pictures: a slot comes while the run before it is going. */
const policies = [
  { value: 'skip', name: 'Skip', text: 'Drop the new one', slots: 'xo', bars: [[4, 40, 0]] },
  {
    value: 'bufferOne',
    name: 'Wait, one',
    text: 'One waits, others are dropped',
    slots: 'ox',
    bars: [
      [4, 40, 0],
      [46, 22, 0],
    ],
  },
  {
    value: 'bufferAll',
    name: 'Wait, all',
    text: 'All wait in order',
    slots: 'oo',
    bars: [
      [4, 34, 0],
      [40, 34, 0],
      [76, 20, 0],
    ],
  },
  {
    value: 'cancelOther',
    name: 'Cancel it',
    text: 'Ask the old one to stop, then start',
    slots: 'oo',
    bars: [
      [4, 20, 2],
      [28, 30, 0],
    ],
  },
  {
    value: 'terminateOther',
    name: 'Terminate it',
    text: 'Stop the old one at once',
    slots: 'oo',
    bars: [
      [4, 20, 2],
      [24, 34, 0],
    ],
  },
  {
    value: 'allowAll',
    name: 'Run beside it',
    text: 'Up to a limit, if given',
    slots: 'oo',
    bars: [
      [4, 60, 0],
      [24, 50, 1],
    ],
  },
] as const;

interface OverlapProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function Overlap({ value, onChange }: OverlapProps) {
  return (
    <fieldset
      className="grid grid-cols-2 gap-2 wide:grid-cols-3"
      aria-label="If the run before is still going"
    >
      {policies.map((policy) => (
        <label key={policy.value} className="opt">
          <input
            type="radio"
            name="overlap"
            checked={policy.value === value}
            onChange={() => onChange(policy.value)}
          />
          <Picture slots={policy.slots} bars={policy.bars} />
          <b>{policy.name}</b>
          <small>{policy.text}</small>
          <code className="t3">{policy.value}</code>
        </label>
      ))}
    </fieldset>
  );
}

function Picture({ slots, bars }: { slots: string; bars: readonly (readonly [number, number, number])[] }) {
  return (
    <svg viewBox="0 0 110 42" className="mb-2 h-10" aria-hidden="true">
      <path d="M2 8H104" stroke="var(--line-2)" />
      <circle cx="6" cy="8" r="4" fill="var(--ran)" />
      {[28, 50].map((x, index) =>
        slots[index] === 'x' ? (
          <path
            key={x}
            d={`M${x} 3l5 5-5 5-5-5z`}
            fill="var(--surface)"
            stroke="var(--policy)"
            strokeWidth="1.4"
          />
        ) : (
          <circle key={x} cx={x} cy="8" r="4" fill="var(--ran)" />
        ),
      )}
      <circle cx="76" cy="8" r="4" fill="var(--ran)" />
      {bars.map(([x, width, kind]) => (
        <rect
          key={`${x} ${kind}`}
          x={x}
          y={kind === 1 ? 31 : 19}
          width={width}
          height="9"
          rx="2.5"
          fill={kind === 2 ? 'none' : 'var(--ran-area)'}
          stroke={kind === 2 ? 'var(--person)' : 'none'}
          strokeDasharray="3 2"
        />
      ))}
    </svg>
  );
}
