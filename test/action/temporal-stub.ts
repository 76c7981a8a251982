/**
 * A Temporal cluster of one process that is told what to answer. Starts are answered by the test, one by one; what else is asked is
 * answered at once, and refused as not served where the test gives no answer.
 */
import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { temporal } from '@temporalio/proto';

const api = temporal.api.workflowservice.v1;

type Request = ReturnType<typeof api.StartWorkflowExecutionRequest.decode>;

export interface ReceivedStart {
  readonly request: Request;
  /** When the client gives up. */
  readonly deadline: number;
  answer(): void;
  /** Fails the call with this status. */
  fail(code: number): void;
}

/** The calls besides starts, by name: each gets the request, and its answer is sent. */
export interface StubAnswers {
  readonly getWorkflowExecutionHistory?: (request: object) => object;
  readonly describeWorkflowExecution?: (request: object) => object;
  readonly requestCancelWorkflowExecution?: (request: object) => object;
  readonly terminateWorkflowExecution?: (request: object) => object;
}

interface MessageType {
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
}

function unary(name: string, request: MessageType, response: MessageType) {
  return {
    path: `/temporal.api.workflowservice.v1.WorkflowService/${name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: (message: object) => Buffer.from(request.encode(message).finish()),
    requestDeserialize: (bytes: Buffer) => request.decode(bytes),
    responseSerialize: (message: object) => Buffer.from(response.encode(message).finish()),
    responseDeserialize: (bytes: Buffer) => response.decode(bytes),
  };
}

const definition: ServiceDefinition = {
  startWorkflowExecution: unary(
    'StartWorkflowExecution',
    api.StartWorkflowExecutionRequest,
    api.StartWorkflowExecutionResponse,
  ),
  getWorkflowExecutionHistory: unary(
    'GetWorkflowExecutionHistory',
    api.GetWorkflowExecutionHistoryRequest,
    api.GetWorkflowExecutionHistoryResponse,
  ),
  describeWorkflowExecution: unary(
    'DescribeWorkflowExecution',
    api.DescribeWorkflowExecutionRequest,
    api.DescribeWorkflowExecutionResponse,
  ),
  requestCancelWorkflowExecution: unary(
    'RequestCancelWorkflowExecution',
    api.RequestCancelWorkflowExecutionRequest,
    api.RequestCancelWorkflowExecutionResponse,
  ),
  terminateWorkflowExecution: unary(
    'TerminateWorkflowExecution',
    api.TerminateWorkflowExecutionRequest,
    api.TerminateWorkflowExecutionResponse,
  ),
};

export class TemporalStub implements AsyncDisposable {
  readonly #server = new Server();
  #port = 0;

  private constructor(receive: (start: ReceivedStart) => void, answers: StubAnswers) {
    const others = Object.entries(answers).map(([name, answer]: [string, (request: object) => object]) => [
      name,
      ({ request }: ServerUnaryCall<object, object>, respond: sendUnaryData<object>) => {
        try {
          respond(null, answer(request));
        } catch (error) {
          respond(error as Error & { readonly code: number });
        }
      },
    ]);
    this.#server.addService(definition, {
      ...Object.fromEntries(others),
      startWorkflowExecution: (call: ServerUnaryCall<Request, object>, respond: sendUnaryData<object>) =>
        receive({
          request: call.request,
          deadline: Number(call.getDeadline()),
          answer: () => respond(null, { runId: `run of ${call.request.workflowId}`, started: true }),
          fail: (code) => respond({ code, details: 'as the test says' }),
        }),
    });
  }

  static async open(
    receive: (start: ReceivedStart) => void,
    answers: StubAnswers = {},
  ): Promise<TemporalStub> {
    const stub = new TemporalStub(receive, answers);
    stub.#port = await new Promise<number>((resolve, reject) => {
      stub.#server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error === null ? resolve(port) : reject(error),
      );
    });
    return stub;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.forceShutdown();
  }
}
