/** The API and the page of Carillon under /carillon. */
import { opened } from '../../../carillon/open';

async function answer(request: Request): Promise<Response> {
  const { mounted } = await opened();
  return await mounted.fetch(request);
}

export { answer as DELETE, answer as GET, answer as PATCH, answer as POST, answer as PUT };
