/** The table from error codes to HTTP and gRPC statuses. */
import type { ErrorCode, ServiceError } from 'carillon/internal/base';

export interface Status {
  readonly http: number;
  readonly grpc: number;
}

export const statuses: Readonly<Record<ErrorCode, Status>> = {
  // 499 is nginx's status for a client that disconnected. No client receives it, but logs can tell it from server errors.
  cancelled: { http: 499, grpc: 1 },
  invalidArgument: { http: 400, grpc: 3 },
  deadlineExceeded: { http: 504, grpc: 4 },
  notFound: { http: 404, grpc: 5 },
  alreadyExists: { http: 409, grpc: 6 },
  permissionDenied: { http: 403, grpc: 7 },
  resourceExhausted: { http: 429, grpc: 8 },
  failedPrecondition: { http: 409, grpc: 9 },
  aborted: { http: 409, grpc: 10 },
  unimplemented: { http: 501, grpc: 12 },
  internal: { http: 500, grpc: 13 },
  unavailable: { http: 503, grpc: 14 },
  dataLoss: { http: 500, grpc: 15 },
  unauthenticated: { http: 401, grpc: 16 },
};

/** HTTP statuses by reason, where HTTP distinguishes what the codes do not. */
const httpByReason: Readonly<Record<string, number>> = {
  CONFLICT_TOKEN_MISMATCH: 412,
  PRECONDITION_FAILED: 412,
  METHOD_NOT_ALLOWED: 405,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  REQUEST_TIMEOUT: 408,
  HEADERS_TOO_LARGE: 431,
};

export function httpStatus({ code, reason }: Pick<ServiceError, 'code' | 'reason'>): number {
  return httpByReason[reason] ?? statuses[code].http;
}
