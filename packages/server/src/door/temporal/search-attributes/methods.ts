/** The remote procedures about search attributes. */
import { ServiceError } from 'carillon/internal/base';
import { demandAccess } from '../../access.ts';
import { changedBy } from '../changed-by.ts';
import type { Methods } from '../method.ts';
import type { Namespaces } from '../namespaces/namespaces.ts';
import type { AttributeType, AttributeTypes } from './attribute-type.ts';
import { typeNumber, typeOfNumber } from './attribute-type.ts';
import type { AttributeRegistry } from './registry.ts';
import { predefinedAttributes, systemAttributes } from './system-attributes.ts';

export interface SearchAttributeDeps {
  readonly namespaces: Namespaces;
  readonly attributes: AttributeRegistry;
}

interface Request {
  readonly namespace: string;
}

/** Of the OperatorService. */
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
      await attributes.remove(request.namespace, request.searchAttributes, changedBy(call, 'remove'));
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

/** Of the WorkflowService: older clients ask there, without naming a namespace. */
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

function invalid(message: string): ServiceError {
  return new ServiceError({ code: 'invalidArgument', reason: 'INVALID', message });
}
