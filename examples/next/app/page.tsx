import { opened } from '../carillon/open';

/** Times of the day are asked for with every request. */
export const dynamic = 'force-dynamic';

export default async function Page() {
  const { carillon } = await opened();
  const [next] = await carillon.schedules.next('nightly', { count: 1 });
  return <p>The next report is due at {next === undefined ? '…' : new Date(next.nominal).toISOString()}.</p>;
}
