/** Next calls this once in every process that serves requests, before the first one. */
export async function register(): Promise<void> {
  // Not on the edge, and not while the application is built.
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { opened } = await import('./carillon/open');
  await opened();
}
