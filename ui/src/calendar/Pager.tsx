import { Icon } from '../parts/Icon.tsx';

interface PagerProps {
  /** `Month` */
  readonly what: string;
  readonly onMove: (step: -1 | 1) => void;
  /** Absent when today is shown. */
  readonly onToday?: (() => void) | undefined;
}

/** One back, today, one on. */
export function Pager({ what, onMove, onToday }: PagerProps) {
  return (
    <>
      <button
        type="button"
        className="btn quiet icon"
        aria-label={`${what} before`}
        onClick={() => onMove(-1)}
      >
        <Icon name="left" />
      </button>
      <button type="button" className="btn quiet" disabled={onToday === undefined} onClick={onToday}>
        Today
      </button>
      <button type="button" className="btn quiet icon" aria-label={`${what} after`} onClick={() => onMove(1)}>
        <Icon name="right" />
      </button>
    </>
  );
}
