/**
 * Imports a module anew with everything it imports from its own project. Node keeps every module it has loaded under its
 * address, so each load marks the addresses of its modules; packages keep theirs and are loaded once.
 */
import * as nodeModule from 'node:module';
import { pathToFileURL } from 'node:url';

const mark = 'carillon-load';

/** The parts of Node's resolution that the hook uses. */
interface Resolution {
  readonly url: string;
}
type NextResolve<R> = (specifier: string, context: { readonly parentURL?: string }) => R;

/** Self-contained, because its text is also run in Node's thread of hooks. */
function marked(found: Resolution, parent: string | undefined, name: string): Resolution {
  const load = parent === undefined ? null : new URL(parent).searchParams.get(name);
  if (load === null || !found.url.startsWith('file:') || found.url.includes('/node_modules/')) return found;
  const url = new URL(found.url);
  url.searchParams.set(name, load);
  return { ...found, url: url.href };
}

let isHooked = false;
let loads = 0;

export async function importFresh(file: string): Promise<Readonly<Record<string, unknown>>> {
  hook();
  loads += 1;
  return (await import(`${pathToFileURL(file).href}?${mark}=${loads}`)) as Readonly<Record<string, unknown>>;
}

function hook(): void {
  if (isHooked) return;
  isHooked = true;
  // Newer Node runs hooks in this thread; Node 20 has only those in a separate thread.
  const { registerHooks } = nodeModule as {
    registerHooks?: (hooks: {
      resolve: (
        specifier: string,
        context: { readonly parentURL?: string },
        next: NextResolve<Resolution>,
      ) => Resolution;
    }) => void;
  };
  if (registerHooks !== undefined) {
    registerHooks({
      resolve: (specifier, context, next) => marked(next(specifier, context), context.parentURL, mark),
    });
    return;
  }
  const text = `${marked.toString()}
export const resolve = async (specifier, context, next) =>
  marked(await next(specifier, context), context.parentURL, '${mark}');`;
  nodeModule.register(`data:text/javascript,${encodeURIComponent(text)}`);
}
