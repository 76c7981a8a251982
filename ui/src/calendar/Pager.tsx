import { Icon } from '../parts/Icon.tsx';

interface PagerProps {
  /** The name of the unit, such as `Month`. */
  readonly what: string;
  readonly onMove: (step: -1 | 1) => void;
  /** Absent when today is shown. */
  readonly onToday?: (() => void) | undefined;
}

/** The buttons for the previous one, today, and the next one. */
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
