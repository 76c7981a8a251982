/** The operations on settings, namespaces and API keys. */

import { formatDuration, parseDuration, ServiceError } from 'carillon/internal/base';
import type { Namespace } from 'carillon/internal/service';
import { z } from 'zod';
import { roles } from '../access.ts';
import type { KeyView } from '../server-port.ts';
import type { Call, Operation } from './operation.ts';
import { defineOperation } from './operation.ts';
import { reader } from './read.ts';
import { changedBy, recordRehearsal } from './rehearsal.ts';
import { itemsOf, time } from './schemas.ts';

const setting = z
  .strictObject({
    name: z.string(),
    value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
    source: z.enum(['default', 'file', 'environment', 'flag', 'fixed']),
    setBy: z.string().meta({ description: 'the flag or variable that set it' }),
    meaning: z.string(),
  })
  .meta({ id: 'Setting' });

const key = z
  .strictObject({
    name: z.string(),
    role: z.enum(roles),
    namespaces: z.array(z.string()).nullable().meta({ description: 'null: all' }),
    source: z.enum(['file', 'made']).meta({ description: '`file`: fixed by the configuration' }),
    createdAt: time.nullable(),
    createdBy: z.string().nullable(),
  })
  .meta({ id: 'ApiKey' });

const newKey = z.strictObject({
  name: z.string().regex(/^[\x21-\x7e]{1,255}$/, 'write 1 to 255 printable characters without spaces'),
  role: z.enum(roles),
  namespaces: z.array(z.string().min(1).max(255)).min(1).max(1000).nullable().default(null),
});

const namespace = z
  .strictObject({
    name: z.string(),
    description: z.string(),
    ownerEmail: z.string(),
    isDeprecated: z.boolean(),
    retention: z.string().nullable().meta({ description: 'as asked for; null: as the server says' }),
    kept: z
      .string()
      .meta({ description: 'how long its finished runs are kept; never longer than the server keeps them' }),
    keptBy: z.enum(['namespace', 'server']).meta({ description: 'whose word that is' }),
  })
  .meta({ id: 'Namespace' });

const duration = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, "not a duration; write '30d' or '12h'")
  .optional();
const details = {
  description: z.string().max(10_000).optional(),
  ownerEmail: z.string().max(255).optional(),
  retention: duration,
};
const newNamespace = z.strictObject({ name: z.string(), ...details });
const changedNamespace = z.strictObject({ ...details, isDeprecated: z.boolean().optional() });

export const settingsOperations: readonly Operation[] = [
  defineOperation({
    id: 'getSettings',
    method: 'GET',
    path: '/settings',
    summary: 'Settings and limits in force, and where each comes from',
    role: 'viewer',
    status: 200,
    response: z.strictObject({
      version: z.string(),
      store: z.string(),
      role: z.enum(roles).meta({ description: 'what the caller may do' }),
      actor: z.string(),
      demandsKeys: z.boolean().meta({ description: 'whether callers without a key are refused' }),
      items: z.array(setting),
    }),
    handle: async ({ services, server, identity: { role, actor } }) => ({
      body: {
        ...services.about,
        role,
        actor,
        demandsKeys: server.keys.isDemanded,
        // Viewers see limits; only administrators see the settings of the configuration file.
        items:
          role === 'admin' ? server.settings : server.settings.filter(({ source }) => source === 'fixed'),
      },
    }),
  }),
  defineOperation({
    id: 'listKeys',
    method: 'GET',
    path: '/keys',
    summary: 'The API keys, without their secrets',
    role: 'admin',
    status: 200,
    response: itemsOf(key),
    handle: async (call) => ({
      body: { items: (await call.server.keys.list()).filter((each) => isWithin(call, each)) },
    }),
  }),
  defineOperation<undefined, z.output<typeof newKey>>({
    id: 'createKey',
    method: 'POST',
    path: '/keys',
    summary: 'Make an API key; the answer is the only place where its secret is shown',
    role: 'admin',
    body: reader(newKey),
    ...recordRehearsal(),
    status: 201,
    response: key.extend({ secret: z.string() }).meta({ id: 'NewApiKey' }),
    handle: async (call) => {
      if (!isWithin(call, call.body)) throw beyond();
      return { body: await call.server.keys.create(call.body, changedBy(call.caller)) };
    },
  }),
  defineOperation({
    id: 'revokeKey',
    method: 'DELETE',
    path: '/keys/{key}',
    summary: 'Revoke an API key that was made here; at once on this node, within seconds on others',
    role: 'admin',
    ...recordRehearsal(),
    status: 204,
    handle: async (call) => {
      const name = call.path.key as string;
      const known = (await call.server.keys.list()).find((each) => each.name === name);
      if (known !== undefined && !isWithin(call, known)) throw beyond();
      await call.server.keys.revoke(name, changedBy(call.caller));
      return {};
    },
  }),
  defineOperation({
    id: 'listNamespaces',
    method: 'GET',
    path: '/namespaces',
    summary: 'The registered namespaces and `default`, by name',
    role: 'viewer',
    status: 200,
    response: itemsOf(namespace),
    handle: async ({ services, identity: { namespaces } }) => {
      const found = await services.namespaces.list();
      const mine = found.filter(({ name }) => namespaces === null || namespaces.includes(name));
      return { body: { items: mine.map((each) => namespaceJson(each, services)) } };
    },
  }),
  defineOperation<undefined, z.output<typeof newNamespace>>({
    id: 'createNamespace',
    method: 'POST',
    path: '/namespaces',
    summary: 'Register a namespace; schedules may also use one that was never registered',
    role: 'admin',
    body: reader(newNamespace),
    ...recordRehearsal(),
    status: 201,
    response: namespace,
    handle: async (call) => {
      const { services, body, identity, caller } = call;
      if (identity.namespaces !== null && !identity.namespaces.includes(body.name)) throw beyond();
      const { name, description = '', ownerEmail = '', retention } = body;
      const by = { ...changedBy(caller), action: 'createNamespace' };
      const details = { description, ownerEmail, data: {}, ...retained(retention) };
      const made = await services.namespaces.register(name, details, by);
      return { body: namespaceJson(made, services), location: `/namespaces/${name}` };
    },
  }),
  defineOperation<undefined, z.output<typeof changedNamespace>>({
    id: 'updateNamespace',
    method: 'PATCH',
    path: '/namespaces/{name}',
    summary: 'Change what is said about a namespace',
    role: 'admin',
    body: reader(changedNamespace),
    ...recordRehearsal(),
    status: 200,
    response: namespace,
    handle: async ({ services, path, body, identity, caller }) => {
      const name = path.name as string;
      if (identity.namespaces !== null && !identity.namespaces.includes(name)) throw beyond();
      const by = { ...changedBy(caller), action: 'updateNamespace' };
      const { retention, ...said } = body;
      const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
      const changed = await services.namespaces.update(
        name,
        (before) => ({ ...before, ...given, ...retained(retention) }),
        by,
      );
      return { body: namespaceJson(changed, services) };
    },
  }),
];

function retained(retention: string | undefined): { retentionMs?: number } {
  const length = retention === undefined ? undefined : parseDuration(retention);
  return length === undefined ? {} : { retentionMs: length };
}

function namespaceJson(
  { name, description, ownerEmail, isDeprecated, retentionMs }: Namespace,
  { retention: { inForce } }: Pick<Call<unknown, unknown>['services'], 'retention'>,
) {
  const isOwn = retentionMs !== undefined && retentionMs < inForce.finishedRuns;
  return {
    name,
    description,
    ownerEmail,
    isDeprecated,
    retention: retentionMs === undefined ? null : keptText(retentionMs),
    kept: keptText(isOwn ? retentionMs : inForce.finishedRuns),
    keptBy: isOwn ? ('namespace' as const) : ('server' as const),
  };
}

function keptText(length: number): string {
  return Number.isFinite(length) ? formatDuration(length) : 'for ever';
}

/** A caller with a key for some namespaces sees, makes and revokes only keys for these. */
function isWithin(
  { identity }: Pick<Call<unknown, unknown>, 'identity'>,
  { namespaces }: Pick<KeyView, 'namespaces'>,
): boolean {
  const own = identity.namespaces;
  return own === null || namespaces?.every((each) => own.includes(each)) === true;
}

function beyond(): ServiceError {
  return new ServiceError({
    code: 'permissionDenied',
    reason: 'PERMISSION_DENIED',
    message: 'your key is for some namespaces only, and this request concerns others too',
  });
}
