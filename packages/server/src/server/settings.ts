/** The settings and limits in force, each with its source, as the API shows them. */
import { actionSettings } from 'carillon/internal/action';
import type { SettingView } from '../door/server-port.ts';
import type { Config, Setting } from './config.ts';
import { withoutCredentials } from './store-name.ts';

/** Settings that hold secrets, or name files that do; only whether they are set is shown. */
const secrets = ['keys', 'secrets', 'http.tls', 'grpc.tls', ...Object.keys(actionSettings)];

export interface SettingsMaterial {
  /** The configuration with its defaults. */
  readonly config: Config;
  /** The configuration file as it was written. */
  readonly file: unknown;
  /** Variables and flags, the later ones first in force. */
  readonly settings: readonly Setting[];
}

export function settingViews({ config, file, settings }: SettingsMaterial): readonly SettingView[] {
  const inFile = new Set(leaves(file ?? {}).map(([path]) => path));
  return leaves(config).map(([path, value]): SettingView => {
    const given = settings.findLast((setting) => setting.path === path);
    const source =
      given !== undefined
        ? given.source.startsWith('-')
          ? 'flag'
          : 'environment'
        : inFile.has(path)
          ? 'file'
          : 'default';
    return { name: path, value: shown(path, value), source, setBy: given?.source ?? '', meaning: '' };
  });
}

function shown(path: string, value: unknown): SettingView['value'] {
  if (value === null || value === undefined) return null;
  if (secrets.some((each) => path === each || path.startsWith(`${each}.`))) return '[set]';
  if (path === 'store') return withoutCredentials(String(value));
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}

/** Every value that is not an object, with its path; a list is one value. */
function leaves(value: unknown, prefix = ''): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[prefix, value]];
  return Object.entries(value).flatMap(([name, inner]) =>
    leaves(inner, prefix === '' ? name : `${prefix}.${name}`),
  );
}
