/** Calls with bytes as they are: what no well-behaved client would send. */
import { Client, credentials } from '@grpc/grpc-js';

const service = '/temporal.api.workflowservice.v1.WorkflowService';

export class RawClient {
  readonly #client: Client;

  constructor(address: string) {
    this.#client = new Client(address, credentials.createInsecure(), {
      'grpc.max_send_message_length': -1,
      'grpc.enable_retries': 0,
    });
  }

  async call(method: string, body: Uint8Array): Promise<Buffer> {
    const same = (bytes: Uint8Array) => bytes as Buffer;
    return await new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(`${service}/${method}`, same, same, body as Buffer, (error, answer) => {
        if (error === null) resolve(answer as Buffer);
        else reject(error);
      });
    });
  }

  close(): void {
    this.#client.close();
  }
}
