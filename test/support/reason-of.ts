/** The `reason` of a refusal, or the text of an error that has none. */
export async function reasonOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'no refusal';
  } catch (error) {
    return (error as { readonly reason?: string }).reason ?? String(error);
  }
}
