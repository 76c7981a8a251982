/** The remote procedures about namespaces. */
import { day, ServiceError } from 'carillon/internal/base';
import type { Namespace, NamespaceDetails, Services } from 'carillon/internal/service';
import { demandAccess } from '../../access.ts';
import { changedBy } from '../changed-by.ts';
import type { Methods } from '../method.ts';
import { readDuration, toDuration } from '../proto-time.ts';
import type { Duration } from '../protocol.ts';
import { readPageToken, writePageToken } from '../visibility/page-token.ts';

export interface NamespaceDeps extends Pick<Services, 'namespaces'> {
  /** How long the server keeps finished runs, in ms; shown for namespaces without their own retention. */
  readonly retentionMs?: number;
}

interface NamedRequest {
  readonly namespace: string;
}

interface RegisterRequest extends NamedRequest {
  readonly description: string;
  readonly ownerEmail: string;
  readonly data: Readonly<Record<string, string>>;
  readonly workflowExecutionRetentionPeriod?: Duration | null;
}

interface UpdateRequest extends NamedRequest {
  readonly updateInfo?: {
    readonly description: string;
    readonly ownerEmail: string;
    readonly data: Readonly<Record<string, string>>;
    readonly state: number;
  } | null;
  readonly config?: { readonly workflowExecutionRetentionTtl?: Duration | null } | null;
}

const defaultRetentionMs = 30 * day;
const largestPage = 1000;

const registered = 1;
const deprecated = 2;
const archivalDisabled = 1;
const replicationNormal = 1;

/** The name of the only cluster, in every answer. */
export const clusterName = 'active';

export function namespaceMethods({ namespaces, retentionMs = defaultRetentionMs }: NamespaceDeps): Methods {
  const describe = (namespace: Namespace) => description(namespace, retentionMs);
  return {
    DescribeNamespace: async (request: NamedRequest & { readonly id: string }, { identity }) => {
      const { namespace, id } = request;
      if (namespace !== '' || id === '') return describe(await namespaces.require(namespace));
      const found = await namespaces.requireById(id);
      // The transport checks access by name only, and this request may give an id.
      demandAccess(identity, 'viewer', found.name);
      return describe(found);
    },

    ListNamespaces: async (
      request: { readonly pageSize: number; readonly nextPageToken?: Uint8Array | null },
      { identity },
    ) => {
      const [after = ''] = readPageToken(request.nextPageToken, ['string']) ?? [];
      const size = request.pageSize > 0 ? Math.min(request.pageSize, largestPage) : largestPage;
      const known = (await namespaces.list()).filter(
        ({ name }) => name > after && (identity.namespaces === null || identity.namespaces.includes(name)),
      );
      const page = known.slice(0, size);
      const last = page.at(-1);
      const more = last !== undefined && known.length > size;
      return {
        namespaces: page.map(describe),
        ...(more ? { nextPageToken: writePageToken([last.name]) } : {}),
      };
    },

    RegisterNamespace: async (request: RegisterRequest, call) => {
      const { namespace, description: text, ownerEmail, data } = request;
      const asked = readRetention(request.workflowExecutionRetentionPeriod);
      const details = {
        description: checkText('description', text),
        ownerEmail: checkText('ownerEmail', ownerEmail),
        data: checkData(data),
        ...(asked === undefined ? {} : { retentionMs: asked }),
      };
      await namespaces.register(namespace, details, changedBy(call, 'register'));
      return {};
    },

    /** An empty text leaves its field unchanged; data is merged into the stored data. */
    UpdateNamespace: async (request: UpdateRequest, call) => {
      const { updateInfo, config } = request;
      const asked = readRetention(config?.workflowExecutionRetentionTtl);
      const change = (before: NamespaceDetails): NamespaceDetails => ({
        ...before,
        ...(updateInfo ? { data: checkData({ ...before.data, ...updateInfo.data }) } : {}),
        ...(updateInfo?.description ? { description: checkText('description', updateInfo.description) } : {}),
        ...(updateInfo?.ownerEmail ? { ownerEmail: checkText('ownerEmail', updateInfo.ownerEmail) } : {}),
        ...(updateInfo?.state === registered || updateInfo?.state === deprecated
          ? { isDeprecated: updateInfo.state === deprecated }
          : {}),
        ...(asked === undefined ? {} : { retentionMs: asked }),
      });
      const changed = await namespaces.update(request.namespace, change, changedBy(call, 'update'));
      return describe(changed);
    },

    DeprecateNamespace: async (request: NamedRequest, call) => {
      const deprecate = (before: NamespaceDetails) => ({ ...before, isDeprecated: true });
      await namespaces.update(request.namespace, deprecate, changedBy(call, 'deprecate'));
      return {};
    },
  };
}

function description(namespace: Namespace, retentionMs: number): object {
  const { name, id, description: text, ownerEmail, data, isDeprecated } = namespace;
  return {
    namespaceInfo: {
      name,
      id,
      state: isDeprecated ? deprecated : registered,
      description: text,
      ownerEmail,
      data,
      // Worker heartbeats keep the leases of workers, and commands reach code that sends no heartbeats.
      capabilities: { workerHeartbeats: true, workerCommands: true },
      supportsSchedules: true,
    },
    config: {
      workflowExecutionRetentionTtl: toDuration(namespace.retentionMs ?? retentionMs),
      historyArchivalState: archivalDisabled,
      visibilityArchivalState: archivalDisabled,
    },
    replicationConfig: {
      activeClusterName: clusterName,
      clusters: [{ clusterName }],
      state: replicationNormal,
    },
    failoverVersion: 0,
    isGlobalNamespace: false,
  };
}

function readRetention(duration: Duration | null | undefined): number | undefined {
  const asked = readDuration('workflowExecutionRetentionPeriod', duration);
  if (asked === undefined || asked >= day) return asked;
  throw invalid(
    'workflowExecutionRetentionPeriod',
    'A valid retention period is not set on request.',
    'at least one day',
  );
}

const longestText = 1000;
const mostData = 100;

function checkText(path: string, text: string): string {
  if (text.length <= longestText) return text;
  throw invalid(path, `is longer than ${longestText} characters`);
}

function checkData(data: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(data);
  const isSmall = entries.every(([key, value]) => key.length <= longestText && value.length <= longestText);
  if (isSmall && entries.length <= mostData) return data;
  throw invalid('data', `has more than ${mostData} entries, or one longer than ${longestText} characters`);
}

function invalid(path: string, message: string, fix?: string): ServiceError {
  return ServiceError.invalid([{ path, reason: 'INVALID', message, ...(fix === undefined ? {} : { fix }) }]);
}
