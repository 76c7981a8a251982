/**
 * The first script of the page, which is part of its HTML. It sets the theme and the current place in the frame, begins to load
 * the files and the data of the screen, and starts the page's script after the first paint.
 */
import { noteKeys } from '../app/early-keys.ts';
import { applyChoice } from '../app/theme-choice.ts';
import { pagePath, serverUrl } from '../data/address.ts';
import { earlyAnswers } from '../data/early.ts';
import { readKey } from '../data/key.ts';
import { paramsOf } from '../route/match.ts';
import { parseSearch } from '../route/search.ts';
import { earlyPaths } from './early-requests.ts';

/** The build inserts the files of every screen, by its path below the namespace. */
declare const screenFiles: readonly (readonly [string, readonly string[]])[];
declare const entryFile: string;

applyChoice();
noteKeys(document.querySelector('.find'));

const path = location.pathname.slice(pagePath.length);
for (const [screen, files] of screenFiles) {
  const params = paramsOf(`/$namespace/${screen}`, path);
  if (params === undefined) continue;
  const { namespace = '' } = params;
  for (const file of files) load(file);
  ask(namespace, earlyPaths(screen, params, parseSearch(location.search)));
  for (const place of document.querySelectorAll('[data-to]')) {
    const to = place.getAttribute('data-to') ?? '';
    if (to === screen.split('/')[0]) place.setAttribute('aria-current', 'page');
    place.setAttribute('href', `${pagePath}/${encodeURIComponent(namespace)}/${to}`);
  }
  const name = document.querySelector('[data-namespace]');
  if (name !== null) name.textContent = namespace;
  break;
}

const start = () => void import(new URL(entryFile, document.baseURI).href);
// A hidden page is never painted, so there is no paint to wait for.
if (document.hidden) start();
else requestAnimationFrame(() => setTimeout(start));

function load(file: string): void {
  const link = document.createElement('link');
  if (file.endsWith('.css')) {
    link.rel = 'preload';
    link.as = 'style';
  } else link.rel = 'modulepreload';
  link.href = file;
  link.crossOrigin = '';
  document.head.append(link);
}

function ask(namespace: string, paths: readonly string[]): void {
  const key = readKey();
  const headers = key === undefined ? { 'carillon-actor': 'page' } : { authorization: `Bearer ${key}` };
  for (const each of paths) {
    const url = `${serverUrl}/api/v1/namespaces/${encodeURIComponent(namespace)}${each}`;
    const answer = fetch(url, { headers });
    // The code that takes the answer handles its failure.
    answer.catch(() => {});
    earlyAnswers().set(url, answer);
  }
}
