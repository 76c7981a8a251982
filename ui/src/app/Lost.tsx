import { pagePath } from '../data/address.ts';
import { Bells } from '../parts/Icon.tsx';

export function Lost() {
  return (
    <main className="empty min-h-[60vh] content-center" id="main">
      <span className="text-bronze">
        <Bells />
      </span>
      <h2>There is no such page</h2>
      <p>The address leads nowhere.</p>
      <a className="btn mt-2" href={`${pagePath}/`}>
        To the overview
      </a>
    </main>
  );
}
