import { Dialog } from '../parts/Dialog.tsx';
import { allPlaces } from './places.ts';

const groups: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  ['Go to', allPlaces.map(({ key, name }) => [`g ${key}`, name] as const)],
  [
    'Everywhere',
    [
      ['Ctrl K', 'find or do anything'],
      ['/', 'filter, or find'],
      ['c', 'new schedule'],
      ['y', 'copy the link'],
      ['?', 'these keys'],
      ['Esc', 'close'],
    ],
  ],
  [
    'Lists',
    [
      ['j k', 'next and previous row'],
      ['x', 'select; with Shift a range'],
      ['Enter', 'open'],
      ['t', 'trigger'],
      ['p', 'pause or resume'],
      ['e', 'edit'],
    ],
  ],
  [
    'Timeline',
    [
      ['← →', 'slot by slot'],
      ['Shift ← →', 'a quarter of the view'],
      ['[ ]', 'slots that did not run'],
      ['+ −', 'zoom'],
      ['n', 'now'],
      ['Enter', 'why'],
    ],
  ],
];

export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog
      title="Keys"
      onClose={onClose}
      foot={
        <button type="button" className="btn" onClick={onClose}>
          Close
        </button>
      }
    >
      <div className="grid grid-cols-1 gap-x-8 gap-y-5 wide:grid-cols-2">
        {groups.map(([title, keys]) => (
          <section key={title}>
            <h3 className="label mb-1">{title}</h3>
            {keys.map(([key, meaning]) => (
              <div key={key} className="flex justify-between gap-3 py-0.5">
                <span className="t2">{meaning}</span>
                <span className="whitespace-nowrap">
                  {key.split(' ').map((each) => (
                    <kbd key={each} className="ml-1">
                      {each}
                    </kbd>
                  ))}
                </span>
              </div>
            ))}
          </section>
        ))}
      </div>
    </Dialog>
  );
}
