/** The dialog that gives the shown query a name. */
import { useState } from 'react';
import { troubleOf, useScope } from '../data/api.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { unchanged } from '../parts/sentence.ts';
import { showToast } from '../parts/toast.ts';
import type { SortName } from './filter.ts';

interface SaveViewProps {
  readonly q: string;
  readonly sort: SortName;
  /** The names of the views that exist. */
  readonly known: readonly string[];
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}

export function SaveView({ q, sort, known, onClose, onSaved }: SaveViewProps) {
  const scope = useScope();
  const [name, setName] = useState('');
  const [wrong, setWrong] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isKnown = known.includes(name.trim());
  const save = async () => {
    setBusy(true);
    try {
      const query = new URLSearchParams({ q, ...(sort === 'attention' ? {} : { sort }) }).toString();
      await scope.api.views.save(name.trim(), { query, place: 'schedules' });
      await onSaved();
      showToast({ family: 'ran', text: `${isKnown ? 'Replaced' : 'Saved'} the view ${name.trim()}` });
      onClose();
    } catch (error) {
      setWrong(unchanged(troubleOf(error).message));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Save this view"
      sub="Everyone in this namespace sees it, on the command line too."
      onClose={onClose}
      foot={
        <button
          type="button"
          className="btn primary"
          disabled={isBusy || name.trim() === ''}
          onClick={() => void save()}
        >
          {isKnown ? 'Replace' : 'Save'}
        </button>
      }
    >
      <label className="flabel" htmlFor="view-name">
        Name
      </label>
      <input
        id="view-name"
        data-first=""
        className="input"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <p className="help">
        Shows <code>{q}</code>
        {isKnown && ', in place of what the view of that name shows now'}
      </p>
      {wrong !== undefined && (
        <p className="help wrong" role="alert">
          {wrong}
        </p>
      )}
    </Dialog>
  );
}
