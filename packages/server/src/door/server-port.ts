/** The server as its doors see it: its settings, and the API keys that it accepts. */
import type { Caller } from 'carillon/internal/service';
import type { Role } from './access.ts';

/** A setting or a limit in force, and where it comes from. */
export interface SettingView {
  /** `http.port`, or the name of a limit. */
  readonly name: string;
  /** Values that would reveal a secret are shown as `[set]`. */
  readonly value: string | number | boolean | null;
  /** `fixed`: no setting changes it. */
  readonly source: 'default' | 'file' | 'environment' | 'flag' | 'fixed';
  /** The flag or variable that set it; empty otherwise. */
  readonly setBy: string;
  readonly meaning: string;
}

export interface KeyView {
  readonly name: string;
  readonly role: Role;
  /** The namespaces that the key may use; null: all. */
  readonly namespaces: readonly string[] | null;
  /** `file`: the configuration fixes it, and only the configuration can revoke it. */
  readonly source: 'file' | 'made';
  /** When and by whom it was made; null for keys of the configuration. */
  readonly createdAt: string | null;
  readonly createdBy: string | null;
}

export interface NewKey {
  readonly name: string;
  readonly role: Role;
  readonly namespaces: readonly string[] | null;
}

export interface KeyAdmin {
  /** Whether callers without a key are refused. */
  readonly isDemanded: boolean;
  list(): Promise<readonly KeyView[]>;
  /** Makes a key. The secret is only in this answer and stored nowhere. */
  create(key: NewKey, by: ChangedBy): Promise<KeyView & { readonly secret: string }>;
  revoke(name: string, by: ChangedBy): Promise<void>;
}

/** The caller that changes a key; in a dry run nothing is written. */
export type ChangedBy = Pick<Caller, 'actor' | 'door' | 'note' | 'rehearsed'>;

export interface ServerPort {
  readonly keys: KeyAdmin;
  readonly settings: readonly SettingView[];
}
