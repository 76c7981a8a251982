/** Removes credentials, because the URL of a database may contain its password. */
export function withoutCredentials(store: string): string {
  return store.replace(/\/\/[^/@]*@/, '//');
}
