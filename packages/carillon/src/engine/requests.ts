/**
 * The requests that an execution has answered already, so that a repeated request changes nothing and gets the same answer.
 * Bounded: the newest 25 for at most seven days; the request that created the execution is never forgotten.
 */
import type { Instant } from '../base/time.ts';
import { day } from '../base/time.ts';

export interface AnsweredRequest {
  readonly id: string;
  readonly at: Instant;
  readonly result?: unknown;
}

export interface RequestLog {
  readonly created?: AnsweredRequest;
  readonly answered: readonly AnsweredRequest[];
}

export const noRequests: RequestLog = { answered: [] };

const longestMemory = 7 * day;
const mostRemembered = 25;

export function findAnswer(log: RequestLog, id: string): AnsweredRequest | undefined {
  return log.answered.find((request) => request.id === id);
}

export function remember(log: RequestLog, request: AnsweredRequest): RequestLog {
  const recent = log.answered.filter((other) => request.at - other.at <= longestMemory);
  return { ...log, answered: [...recent, request].slice(-mostRemembered) };
}
