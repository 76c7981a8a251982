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
    <span className="flex flex-none items-center gap-1">
      <button
        type="button"
        className="btn quiet icon"
        aria-label={`${what} before`}
        onClick={() => onMove(-1)}
      >
        <Icon name="left" />
      </button>
      {/* Not disabled where it leads nowhere: it would lose the focus when it is pressed. */}
      <button type="button" className="btn quiet" aria-disabled={onToday === undefined} onClick={onToday}>
        Today
      </button>
      <button type="button" className="btn quiet icon" aria-label={`${what} after`} onClick={() => onMove(1)}>
        <Icon name="right" />
      </button>
    </span>
  );
}
