/** The dialog that gives the shown query a name. */
import { useState } from 'react';
import { troubleOf, useScope } from '../data/api.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { showToast } from '../parts/toast.ts';
import type { SortName } from './filter.ts';

interface SaveViewProps {
  readonly q: string;
  readonly sort: SortName;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}

export function SaveView({ q, sort, onClose, onSaved }: SaveViewProps) {
  const scope = useScope();
  const [name, setName] = useState('');
  const [wrong, setWrong] = useState<string>();
  const save = async () => {
    try {
      const query = new URLSearchParams({ q, ...(sort === 'attention' ? {} : { sort }) }).toString();
      await scope.api.views.save(name, { query, place: 'schedules' });
      await onSaved();
      showToast({ family: 'ran', text: `Saved the view ${name}` });
      onClose();
    } catch (error) {
      setWrong(troubleOf(error).message);
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
          disabled={name.trim() === ''}
          onClick={() => void save()}
        >
          Save
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
      </p>
      {wrong !== undefined && (
        <p className="help wrong" role="alert">
          {wrong}
        </p>
      )}
    </Dialog>
  );
}
