import { Icon } from '../parts/Icon.tsx';
import { countText } from '../time/text.ts';
import type { Verb } from './Schedules.tsx';
import type { Selection } from './selection.ts';

interface SelectionBarProps {
  readonly selection: Selection;
  readonly matching: number;
  readonly onAll: () => void;
  readonly onAsk: (verb: Verb) => void;
  readonly onTag: () => void;
  readonly onClose: () => void;
}

export function SelectionBar({ selection, matching, onAll, onAsk, onTag, onClose }: SelectionBarProps) {
  const { ids, isAll } = selection;
  const count = isAll ? matching : ids.size;
  return (
    <section className="selbar" aria-label="Selected schedules">
      <b aria-live="polite">{countText(count)} selected</b>
      {!isAll && matching > ids.size && (
        <button type="button" className="all opacity-80 hover:opacity-100" onClick={onAll}>
          Select all {countText(matching)} that match
        </button>
      )}
      <span className="rule" />
      <button type="button" onClick={() => onAsk('pause')}>
        <Icon name="pause" /> Pause…
      </button>
      <button type="button" onClick={() => onAsk('resume')}>
        <Icon name="play" /> Resume…
      </button>
      <button type="button" onClick={() => onAsk('trigger')}>
        <Icon name="bolt" /> Trigger…
      </button>
      <button type="button" onClick={onTag}>
        <Icon name="tag" /> Tag…
      </button>
      <button type="button" onClick={() => onAsk('delete')}>
        <Icon name="trash" /> Delete…
      </button>
      <span className="rule" />
      <button type="button" aria-label="Clear the selection" onClick={onClose}>
        <Icon name="close" />
      </button>
    </section>
  );
}
