/** The addresses of the server, derived from the address of the page, which is below `/ui/` of the same server. */
const page = new URL(document.baseURI);

/** The path of the page: `/ui`, or `/tools/carillon/ui` behind a proxy. */
export const pagePath = page.pathname.replace(/\/+$/, '');

/**
 * The key under which the browser stores something about this server: servers behind the same host, below other paths,
 * have their own.
 */
export function keptName(what: string): string {
  return `carillon.${what}${pagePath.replace(/\/ui$/, '')}`;
}

/** The address that the API's paths follow. */
export const serverUrl = `${page.origin}${pagePath.replace(/\/ui$/, '')}`;
