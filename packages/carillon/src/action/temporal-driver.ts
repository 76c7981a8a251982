/**
 * The part of `@temporalio/client` that actions and imports use, as types of this package: the raw service, because
 * Carillon makes payloads and request ids by itself. The package is an optional peer and is loaded when it is first
 * needed.
 */
import { given } from '../base/given.ts';
import { missingDriver } from '../base/missing-driver.ts';
import { importPackage } from '../base/optional-package.ts';

type Call = (request: object) => Promise<Readonly<Record<string, unknown>>>;

export interface TemporalService {
  readonly startWorkflowExecution: Call;
  readonly getWorkflowExecutionHistory: Call;
  readonly describeWorkflowExecution: Call;
  readonly requestCancelWorkflowExecution: Call;
  readonly terminateWorkflowExecution: Call;
  readonly describeNamespace: Call;
  readonly listSchedules: Call;
  readonly describeSchedule: Call;
  readonly listScheduleMatchingTimes: Call;
}

export interface TemporalConnection {
  readonly workflowService: TemporalService;
  withDeadline<T>(deadline: number, call: () => Promise<T>): Promise<T>;
  withAbortSignal<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface TemporalAddress {
  readonly address: string;
  readonly apiKey?: string;
  readonly tls?: boolean;
}

interface Driver {
  readonly Connection: { lazy(options: object): TemporalConnection };
}

/** Connects with the first call. Calls are not retried by the client: the run's own retries do that. */
export async function openTemporal(
  { address, apiKey, tls }: TemporalAddress,
  importing = importPackage,
): Promise<TemporalConnection> {
  let driver: Driver;
  try {
    driver = (await importing('@temporalio/client')) as Driver;
  } catch (error) {
    throw missingDriver(error, 'talking to a Temporal cluster', '@temporalio/client');
  }
  return driver.Connection.lazy({
    address,
    interceptors: [],
    ...given({ apiKey, tls }),
  });
}
