/** Shown for an address without a screen, with the place that was probably meant. */
import { Go } from '../parts/Go.tsx';
import { Bells } from '../parts/Icon.tsx';
import { usePath } from '../route/hooks.ts';
import { useLinks } from './links.ts';
import { lostAt } from './lost.ts';

export function Lost() {
  const links = useLinks();
  const { text, meant, within, schedule } = lostAt(usePath());
  return (
    <main className="empty min-h-[60vh] content-center" id="main">
      <span className="text-bronze">
        <Bells />
      </span>
      <h1 className="text-drawer">There is no such page</h1>
      <p>
        {text}
        {meant !== undefined && (
          <>
            {' '}
            Did you mean{' '}
            <Go className="link" to={links.place(meant.to)}>
              {meant.name}
            </Go>
            ?
          </>
        )}
      </p>
      <p className="mt-2 flex flex-wrap justify-center gap-2">
        {schedule !== undefined && (
          <Go className="btn" to={links.schedule(schedule)}>
            To {schedule}
          </Go>
        )}
        <Go className="btn" to={links.place(within?.to ?? '')}>
          To {within?.name ?? 'the overview'}
        </Go>
      </p>
    </main>
  );
}
