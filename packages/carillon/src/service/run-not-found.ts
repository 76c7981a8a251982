import { ServiceError } from '../base/error.ts';

export interface RunName {
  readonly namespace: string;
  readonly id: string;
}

export function runNotFound({ namespace, id }: RunName): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: `there is no run '${id}' in the namespace '${namespace}'`,
  });
}
