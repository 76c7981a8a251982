/** A Temporal cluster of one process that only starts workflows, and answers when it is told. */
import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { temporal } from '@temporalio/proto';

const { StartWorkflowExecutionRequest, StartWorkflowExecutionResponse } = temporal.api.workflowservice.v1;

type Request = ReturnType<typeof StartWorkflowExecutionRequest.decode>;

export interface ReceivedStart {
  readonly request: Request;
  /** When the client gives up. */
  readonly deadline: number;
  answer(): void;
}

const definition: ServiceDefinition = {
  startWorkflowExecution: {
    path: '/temporal.api.workflowservice.v1.WorkflowService/StartWorkflowExecution',
    requestStream: false,
    responseStream: false,
    requestSerialize: (message: Request) =>
      Buffer.from(StartWorkflowExecutionRequest.encode(message).finish()),
    requestDeserialize: (bytes) => StartWorkflowExecutionRequest.decode(bytes),
    responseSerialize: (message: object) =>
      Buffer.from(StartWorkflowExecutionResponse.encode(message).finish()),
    responseDeserialize: (bytes) => StartWorkflowExecutionResponse.decode(bytes),
  },
};

export class TemporalStub implements AsyncDisposable {
  readonly #server = new Server();
  readonly #receive: (start: ReceivedStart) => void;
  #port = 0;

  private constructor(receive: (start: ReceivedStart) => void) {
    this.#receive = receive;
    this.#server.addService(definition, {
      startWorkflowExecution: (call: ServerUnaryCall<Request, object>, respond: sendUnaryData<object>) =>
        this.#receive({
          request: call.request,
          deadline: Number(call.getDeadline()),
          answer: () => respond(null, { runId: `run of ${call.request.workflowId}`, started: true }),
        }),
    });
  }

  static async open(receive: (start: ReceivedStart) => void): Promise<TemporalStub> {
    const stub = new TemporalStub(receive);
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
