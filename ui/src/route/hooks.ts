/** Hooks with which a screen reads its address. */
import { createContext, useContext } from 'react';
import type { Params } from './match.ts';
import type { Search } from './search.ts';

/** The address of the shown screen. While the next screen is loaded, it is still the previous address. */
export interface Shown {
  readonly path: string;
  readonly search: Search;
  readonly params: Params;
}

export const ShownContext = createContext<Shown>({ path: '/', search: {}, params: {} });

export function usePath(): string {
  return useContext(ShownContext).path;
}

export function useSearch(): Search {
  return useContext(ShownContext).search;
}

/** Parts of the path by name; screens know which of them their own path has. */
export function useParams(): Params {
  return useContext(ShownContext).params;
}
