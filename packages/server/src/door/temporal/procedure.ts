/** A remote procedure with its messages, and how it is performed, whichever transport brought the request. */
import { ServiceError } from 'carillon/internal/base';
import type { Call, Method, Methods } from './method.ts';
import { demandRole } from './method-access.ts';
import type { HttpBinding, MessageType } from './protocol.ts';
import { decode, encode, serviceNamed } from './protocol.ts';
import { unknownMethod } from './status.ts';

export interface Procedure {
  /** The full name of its service. */
  readonly service: string;
  readonly name: string;
  readonly request: MessageType;
  readonly response: MessageType;
  /** Undefined when this server does not implement it. */
  readonly method: Method | undefined;
  /** Its paths in the HTTP API; undefined when it has none. */
  readonly http: HttpBinding | undefined;
}

/** All procedures of a service, including unsupported ones. */
export function proceduresOf(service: string, methods: Methods): readonly Procedure[] {
  return serviceNamed(service).methods.map((method) => ({
    service,
    name: method.name,
    request: method.resolvedRequestType,
    response: method.resolvedResponseType,
    method: methods[method.name],
    http: method.parsedOptions?.find((option) => '(google.api.http)' in option)?.['(google.api.http)'],
  }));
}

/** Returns the encoded response. `about` receives the namespace that the request names. */
export async function perform(
  { service, name, request: type, response, method }: Procedure,
  call: Call,
  about: (namespace: string) => void,
): Promise<Uint8Array> {
  if (method === undefined) throw unknownMethod(name, service);
  const request = readRequest(type, call.body);
  const namespace = typeof request.namespace === 'string' ? request.namespace : '';
  about(namespace);
  demandRole(call.identity, name, namespace);
  return encode(response, await method(request, call));
}

function readRequest(type: MessageType, body: Uint8Array): { readonly namespace?: unknown } {
  try {
    return decode(type, body);
  } catch (error) {
    throw new ServiceError({
      code: 'invalidArgument',
      reason: 'MALFORMED',
      message: `the request is not a ${type.fullName.replace(/^\./, '')}: ${ServiceError.from(error).message}`,
    });
  }
}
