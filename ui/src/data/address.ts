/** Where the server is, from where the page is: the page lives below `/ui/` of the same server. */
const page = new URL(document.baseURI);

/** `/ui`, or `/tools/carillon/ui` behind a proxy. */
export const pagePath = page.pathname.replace(/\/+$/, '');

/** What a browser keeps about one server: others behind the same host, below other paths, have their own. */
export function keptName(what: string): string {
  return `carillon.${what}${pagePath.replace(/\/ui$/, '')}`;
}

/** The address that the API's paths follow. */
export const serverUrl = `${page.origin}${pagePath.replace(/\/ui$/, '')}`;
