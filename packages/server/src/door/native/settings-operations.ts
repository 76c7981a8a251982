/** The operations on settings, namespaces and API keys. */

import { didYouMean, formatDuration, given, parseDuration, ServiceError } from 'carillon/internal/base';
import type { Namespace, NamespaceDetails } from 'carillon/internal/service';
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

const details = {
  description: z.string().max(10_000),
  ownerEmail: z.string().max(255),
  retention: z
    .string()
    .refine((text) => parseDuration(text) !== undefined, "not a duration; write '30d' or '12h'"),
};
const newNamespace = z.strictObject({ name: z.string(), ...details }).partial({
  description: true,
  ownerEmail: true,
  retention: true,
});
const changedNamespace = z
  .strictObject({
    description: details.description.nullable(),
    ownerEmail: details.ownerEmail.nullable(),
    retention: details.retention
      .nullable()
      .meta({ description: 'how long its finished runs are kept; null: as the server says' }),
    isDeprecated: z.boolean().nullable(),
  })
  .partial();

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
      await demandKnown(call);
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
      const details = {
        description,
        ownerEmail,
        data: {},
        ...given({ retentionMs: retention === undefined ? undefined : parseDuration(retention) }),
      };
      const made = await services.namespaces.register(name, details, by);
      return { body: namespaceJson(made, services), location: `/namespaces/${name}` };
    },
  }),
  defineOperation({
    id: 'getNamespace',
    method: 'GET',
    path: '/namespaces/{name}',
    summary: 'One namespace: registered, `default`, or one that only has schedules',
    role: 'viewer',
    status: 200,
    response: namespace,
    handle: async (call) => {
      const { services } = call;
      return { body: namespaceJson(await services.namespaces.require(await existing(call)), services) };
    },
  }),
  defineOperation<undefined, z.output<typeof changedNamespace>>({
    id: 'updateNamespace',
    method: 'PATCH',
    path: '/namespaces/{name}',
    summary: 'Change what is said about a namespace; null takes a field back',
    role: 'admin',
    body: reader(changedNamespace),
    ...recordRehearsal(),
    status: 200,
    response: namespace,
    handle: async (call) => {
      const { services, body, caller } = call;
      const name = await existing(call);
      const by = { ...changedBy(caller), action: 'updateNamespace' };
      const changed = await services.namespaces.update(name, (before) => patched(before, body), by);
      return { body: namespaceJson(changed, services) };
    },
  }),
  defineOperation({
    id: 'deleteNamespace',
    method: 'DELETE',
    path: '/namespaces/{name}',
    summary:
      'Remove a namespace in which nothing is at work; its finished runs stay until retention removes them',
    role: 'admin',
    ...recordRehearsal(),
    status: 204,
    handle: async (call) => {
      const name = await existing(call);
      const by = { ...changedBy(call.caller), action: 'deleteNamespace' };
      await call.services.namespaces.removeUnused(name, by);
      return {};
    },
  }),
];

/** The name in the path, when the caller may use that namespace and it exists. */
async function existing({
  services,
  identity: { namespaces: own },
  path,
}: Pick<Call<unknown, unknown>, 'services' | 'identity' | 'path'>): Promise<string> {
  const name = path.name as string;
  if (own !== null && !own.includes(name)) throw beyond();
  const [unknown] = await services.namespaces.unknown([name]);
  if (unknown === undefined) return name;
  const near = own === null ? unknown.near : unknown.near.filter((each) => own.includes(each));
  const meant = didYouMean(near);
  throw new ServiceError({
    code: 'notFound',
    reason: 'NAMESPACE_NOT_FOUND',
    message: `there is no namespace '${name}'${meant === undefined ? '' : `; ${meant}`}`,
    didYouMean: near,
  });
}

/** A field that is absent stays; null takes it back to what it is without being set. */
function patched(before: NamespaceDetails, change: z.output<typeof changedNamespace>): NamespaceDetails {
  const { retentionMs, ...rest } = before;
  const { retention, description, ownerEmail, isDeprecated } = change;
  const kept =
    retention === undefined ? retentionMs : retention === null ? undefined : parseDuration(retention);
  return {
    ...rest,
    ...(description === undefined ? {} : { description: description ?? '' }),
    ...(ownerEmail === undefined ? {} : { ownerEmail: ownerEmail ?? '' }),
    ...(isDeprecated === undefined ? {} : { isDeprecated: isDeprecated ?? false }),
    ...given({ retentionMs: kept }),
  };
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

/** A mistyped namespace would make a key that opens nothing. Suggests only namespaces that the caller may use. */
async function demandKnown({
  services,
  identity,
  body: { namespaces },
}: Call<unknown, z.output<typeof newKey>>): Promise<void> {
  if (namespaces === null) return;
  const unknown = await services.namespaces.unknown(namespaces);
  if (unknown.length === 0) return;
  const own = identity.namespaces;
  const problems = unknown.map(({ name, near }) => ({
    path: `namespaces[${namespaces.indexOf(name)}]`,
    reason: 'NAMESPACE_NOT_FOUND',
    message: `there is no namespace '${name}'`,
    fix:
      didYouMean(near.filter((each) => own === null || own.includes(each))) ??
      'register the namespace first: carillon namespace create',
  }));
  throw ServiceError.invalid(problems);
}

function beyond(): ServiceError {
  return new ServiceError({
    code: 'permissionDenied',
    reason: 'PERMISSION_DENIED',
    message: 'your key is for some namespaces only, and this request concerns others too',
  });
}
