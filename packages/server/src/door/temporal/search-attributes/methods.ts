/** The remote procedures about search attributes. */
import { ServiceError } from 'carillon/internal/base';
import type { AttributeType, AttributeTypes, Services } from 'carillon/internal/service';
import { demandAccess } from '../../access.ts';
import { changedBy } from '../changed-by.ts';
import type { Methods } from '../method.ts';
import { typeNumber, typeOfNumber } from './attribute-type.ts';
import { isReserved, predefinedAttributes, systemAttributes } from './system-attributes.ts';

export type SearchAttributeDeps = Pick<Services, 'namespaces' | 'attributes'>;

interface Request {
  readonly namespace: string;
}

/** Procedures of the OperatorService. */
export function operatorMethods({ namespaces, attributes }: SearchAttributeDeps): Methods {
  return {
    AddSearchAttributes: async (
      request: Request & { readonly searchAttributes: Readonly<Record<string, number>> },
      call,
    ) => {
      await namespaces.require(request.namespace);
      const added = new Map<string, AttributeType>();
      for (const [name, number] of Object.entries(request.searchAttributes)) {
        const type = typeOfNumber(number);
        if (type === undefined) {
          throw invalid(`Unable to add search attribute ${name}: unknown type ${number}.`);
        }
        if (isReserved(name)) throw badAttribute(`Search attribute ${name} is reserved by system.`);
        added.set(name, type);
      }
      if (added.size === 0) throw invalid('SearchAttributes are not set on request.');
      await attributes.add(request.namespace, added, changedBy(call, 'add'));
      return {};
    },

    RemoveSearchAttributes: async (
      request: Request & { readonly searchAttributes: readonly string[] },
      call,
    ) => {
      await namespaces.require(request.namespace);
      if (request.searchAttributes.length === 0) throw invalid('SearchAttributes are not set on request.');
      for (const name of request.searchAttributes) {
        if (systemAttributes.has(name) || predefinedAttributes.has(name)) {
          throw badAttribute(`Unable to remove non-custom search attributes: ${name}.`);
        }
      }
      // As with Temporal, removing an absent attribute succeeds, because a script may run twice.
      const known = await attributes.typesOf(request.namespace);
      const there = request.searchAttributes.filter((name) => known.has(name));
      if (there.length > 0) await attributes.remove(request.namespace, there, changedBy(call, 'remove'));
      return {};
    },

    ListSearchAttributes: async (request: Request) => {
      await namespaces.require(request.namespace);
      return {
        customAttributes: numbersOf(await attributes.typesOf(request.namespace)),
        systemAttributes: numbersOf(systemAttributes, predefinedAttributes),
        storageSchema: {},
      };
    },
  };
}

/** Procedures of the WorkflowService, which older clients call without a namespace. */
export function searchAttributeMethods({ attributes }: SearchAttributeDeps): Methods {
  return {
    GetSearchAttributes: async (_, { identity, metadata }) => {
      const namespace = metadata.get('temporal-namespace') ?? 'default';
      demandAccess(identity, 'viewer', namespace);
      const custom = await attributes.typesOf(namespace);
      return { keys: numbersOf(systemAttributes, predefinedAttributes, custom) };
    },
  };
}

function numbersOf(...tables: readonly AttributeTypes[]): Record<string, number> {
  return Object.fromEntries(
    tables.flatMap((table) => [...table].map(([name, type]) => [name, typeNumber(type)])),
  );
}

function badAttribute(message: string): ServiceError {
  return new ServiceError({ code: 'invalidArgument', reason: 'BAD_SEARCH_ATTRIBUTE', message });
}

function invalid(message: string): ServiceError {
  return new ServiceError({ code: 'invalidArgument', reason: 'INVALID', message });
}
