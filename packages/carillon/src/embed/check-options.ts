/** Checks the options of `openCarillon` and `handle`, also for programs without types: a mistyped option would otherwise be ignored in silence. */
import { didYouMean, nearNames } from '../base/near-names.ts';
import { isConcurrency } from './handlers.ts';

/** Every option, as a table that the compiler compares with the type. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

export function checkOptions<Options extends object>(options: Options, names: OptionNames<Options>): Options {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`openCarillon: write options or the URL of a store, not ${String(options)}`);
  refuseUnknown('openCarillon', options, names);
  const { concurrency } = options as { readonly concurrency?: unknown };
  if (concurrency !== undefined && !isConcurrency(concurrency)) {
    const given = String(concurrency);
    throw new TypeError(`openCarillon: concurrency must be a whole number of at least 1, not ${given}`);
  }
  return options;
}

/** `where` is the call as the program wrote it. */
export function refuseUnknown<Options extends object>(
  where: string,
  options: Options,
  names: OptionNames<Options>,
): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue;
    const near = didYouMean(nearNames(name, Object.keys(names)).slice(0, 1));
    const hint = near === undefined ? '' : `; ${near}`;
    throw new TypeError(`${where}: there is no option '${name}'${hint}`);
  }
}
