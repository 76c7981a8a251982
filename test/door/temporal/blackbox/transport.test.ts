/** The bytes below the messages: compression, headers, sizes, pings, health and paths (wire reference, section 5). */
import http2 from 'node:http2';
import { gunzipSync, gzipSync } from 'node:zlib';
import { credentials, Client as GrpcClient, Metadata, status } from '@grpc/grpc-js';
import { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GrpcStage, schedule } from '../grpc-stage.ts';
import {
  create,
  describeRaw,
  hourly,
  namespace,
  refusal,
  scheduleOf,
  startWorkflow,
} from './raw-schedules.ts';

const { DescribeScheduleRequest, DescribeScheduleResponse } = temporal.api.workflowservice.v1;
const service = '/temporal.api.workflowservice.v1.WorkflowService';

let stage: GrpcStage;
let session: http2.ClientHttp2Session;
beforeAll(async () => {
  stage = await GrpcStage.open();
  session = http2.connect(`http://${stage.address}`);
  await create(stage, 'there', scheduleOf(hourly));
});
afterAll(async () => {
  session.close();
  await stage[Symbol.asyncDispose]();
});

interface Answer {
  readonly http: number;
  readonly grpc: number;
  readonly message: string;
  readonly encoding: string;
  readonly body: Buffer;
}

/** One call with everything under our control: a frame is one byte of compression, four of length, and the message. */
async function call(
  path: string,
  message: Uint8Array,
  headers: http2.OutgoingHttpHeaders = {},
): Promise<Answer> {
  const isCompressed = headers['grpc-encoding'] !== undefined;
  const body = isCompressed ? gzipSync(message) : Buffer.from(message);
  const frame = Buffer.alloc(5);
  frame.writeUInt8(isCompressed ? 1 : 0, 0);
  frame.writeUInt32BE(body.length, 1);
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  stream.end(Buffer.concat([frame, body]));
  return await new Promise((resolve, reject) => {
    let head: http2.IncomingHttpHeaders = {};
    let tail: http2.IncomingHttpHeaders = {};
    const parts: Buffer[] = [];
    stream.on('response', (answer) => {
      head = answer;
    });
    stream.on('trailers', (answer) => {
      tail = answer;
    });
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('error', reject);
    stream.on('end', () => {
      const all = Buffer.concat(parts);
      resolve({
        http: Number(head[':status']),
        grpc: Number(tail['grpc-status'] ?? head['grpc-status']),
        message: String(tail['grpc-message'] ?? head['grpc-message'] ?? ''),
        encoding: String(head['grpc-encoding'] ?? 'identity'),
        body: all[0] === 1 ? gunzipSync(all.subarray(5)) : all.subarray(5),
      });
    });
  });
}
const asking = DescribeScheduleRequest.encode({ namespace, scheduleId: 'there' }).finish();

describe('compression', () => {
  test('a gzip request is understood and answered plainly', async () => {
    const answer = await call(`${service}/DescribeSchedule`, asking, {
      'grpc-encoding': 'gzip',
      'grpc-accept-encoding': 'identity',
    });
    expect(answer).toMatchObject({ http: 200, grpc: status.OK, encoding: 'identity' });
    expect(DescribeScheduleResponse.decode(answer.body).schedule?.action?.startWorkflow?.workflowId).toBe(
      'w',
    );
  });

  test('an unknown encoding is UNIMPLEMENTED, and the connection lives on', async () => {
    const answer = await call(`${service}/DescribeSchedule`, asking, { 'grpc-encoding': 'snail' });
    expect(answer.grpc).toBe(status.UNIMPLEMENTED);
    expect((await call(`${service}/DescribeSchedule`, asking)).grpc).toBe(status.OK);
  });
});

describe('sizes', () => {
  const megabytes = (count: number) => ({
    metadata: { encoding: Buffer.from('binary/plain') },
    data: Buffer.alloc(count * 1_000_000, 'x'),
  });

  test('six megabytes are refused for what they are, not by the transport, and not asked again', async () => {
    const action = { startWorkflow: startWorkflow({ input: { payloads: [megabytes(6)] } }) };
    expect(await refusal(create(stage, 'six-mb', scheduleOf(hourly, { action })))).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: 'Blob data size exceeds limit.',
    });
  });

  test('so they are when they come compressed over the Rust transport', async () => {
    const connection = await NativeConnection.connect({ address: stage.address });
    try {
      const client = new Client({ connection });
      const refused = client.schedule.create(
        schedule('six-mb-native', {
          action: {
            type: 'startWorkflow',
            workflowType: 'work',
            taskQueue: 'default',
            args: [Buffer.alloc(6_000_000, 'x')],
          },
        }),
      );
      await expect(refused).rejects.toMatchObject({ cause: { code: status.INVALID_ARGUMENT } });
      const kept = await client.schedule.create(
        schedule('one-mb-native', {
          action: {
            type: 'startWorkflow',
            workflowType: 'work',
            taskQueue: 'default',
            args: [Buffer.alloc(1_000_000, 'x')],
          },
        }),
      );
      expect((await kept.describe()).action.args?.[0]).toHaveLength(1_000_000);
    } finally {
      await connection.close();
    }
  });

  test('an update and a patch have the limit too', async () => {
    const action = { startWorkflow: startWorkflow({ input: { payloads: [megabytes(3)] } }) };
    const update = stage.service.updateSchedule({
      namespace,
      scheduleId: 'there',
      schedule: scheduleOf(hourly, { action }),
    });
    expect(await refusal(update)).toMatchObject({ code: status.INVALID_ARGUMENT });
    const memo = stage.service.updateSchedule({
      namespace,
      scheduleId: 'there',
      schedule: scheduleOf(hourly),
      memo: { fields: { large: megabytes(3) } },
    });
    expect(await refusal(memo)).toMatchObject({ code: status.INVALID_ARGUMENT });
    expect((await describeRaw(stage, 'there')).schedule?.action?.startWorkflow?.input ?? null).toBeNull();
  });

  test('63 KiB of metadata pass', async () => {
    const client = new GrpcClient(stage.address, credentials.createInsecure(), {
      'grpc-node.max_session_memory': 100,
    });
    try {
      const metadata = new Metadata();
      for (let index = 0; index < 7; index += 1) metadata.set(`large-${index}`, 'x'.repeat(9 * 1024 - 100));
      const same = (bytes: Uint8Array) => bytes as Buffer;
      const answer = await new Promise<Buffer>((resolve, reject) => {
        client.makeUnaryRequest(
          `${service}/DescribeSchedule`,
          same,
          same,
          asking as Buffer,
          metadata,
          (error, bytes) => (error === null ? resolve(bytes as Buffer) : reject(error)),
        );
      });
      expect(DescribeScheduleResponse.decode(answer).schedule).toBeTruthy();
    } finally {
      client.close();
    }
  });
});

describe('a connection', () => {
  test('that pings many times a second is left alone', async () => {
    for (let count = 0; count < 50; count += 1) {
      await new Promise<void>((resolve, reject) =>
        session.ping((error) => (error ? reject(error) : resolve())),
      );
    }
    expect(session.destroyed).toBe(false);
    expect((await call(`${service}/DescribeSchedule`, asking)).grpc).toBe(status.OK);
  });

  test('may carry the headers every client sends', async () => {
    const answer = await call(`${service}/DescribeSchedule`, asking, {
      'client-name': 'temporal-go',
      'client-version': '1.35.0',
      'supported-server-versions': '>=1.0.0 <2.0.0',
      'caller-type': 'operator',
      'temporal-namespace': 'default',
      'grpc-timeout': '9S',
    });
    expect(answer.grpc).toBe(status.OK);
  });

  test('of the official client works without asking for the system first', async () => {
    const lazy = Connection.lazy({ address: stage.address });
    try {
      expect((await new Client({ connection: lazy }).schedule.getHandle('there').describe()).scheduleId).toBe(
        'there',
      );
    } finally {
      await lazy.close();
    }
  });
});

describe('paths', () => {
  test.each([
    ['an unknown method', `${service}/NoSuchThing`],
    ['a method we do not serve', `${service}/ResetWorkflowExecution`],
    ['an unknown service', '/temporal.api.nowhere.v1.Nothing/Call'],
    ['no method at all', '/'],
  ])('%s is UNIMPLEMENTED in proper gRPC', async (_, path) => {
    expect(await call(path, Buffer.alloc(0))).toMatchObject({ http: 200, grpc: status.UNIMPLEMENTED });
  });

  test('what we do not serve says unknown method', async () => {
    const { message } = await call(`${service}/ResetWorkflowExecution`, Buffer.alloc(0));
    expect(decodeURIComponent(message)).toMatch(/unknown method/i);
  });

  test('a message of an invalid spec keeps its colon on the way', async () => {
    const { CreateScheduleRequest } = temporal.api.workflowservice.v1;
    const bytes = CreateScheduleRequest.encode({
      namespace,
      scheduleId: 'colon',
      requestId: 'colon',
      schedule: scheduleOf({ cronString: ['x'] }),
    }).finish();
    const { grpc, message } = await call(`${service}/CreateSchedule`, bytes);
    expect(grpc).toBe(status.INVALID_ARGUMENT);
    expect(message).toMatch(/^Invalid%20schedule%20spec:%20/);
  });

  test('bytes that are no message are the caller’s fault', async () => {
    expect((await call(`${service}/DescribeSchedule`, Buffer.from([0xff, 0xff]))).grpc).toBe(
      status.INVALID_ARGUMENT,
    );
  });
});

describe('health', () => {
  const request = (name: string) =>
    Buffer.concat([Buffer.from([0x0a, Buffer.byteLength(name)]), Buffer.from(name)]);
  test.each([
    ['the whole server', ''],
    ['the workflow service', 'temporal.api.workflowservice.v1.WorkflowService'],
    ['the operator service', 'temporal.api.operatorservice.v1.OperatorService'],
  ])('of %s is SERVING', async (_, name) => {
    const { grpc, body } = await call(
      '/grpc.health.v1.Health/Check',
      name === '' ? Buffer.alloc(0) : request(name),
    );
    expect({ grpc, body: [...body] }).toEqual({ grpc: status.OK, body: [8, 1] });
  });

  test('of an unknown service is NOT_FOUND', async () => {
    expect((await call('/grpc.health.v1.Health/Check', request('absent'))).grpc).toBe(status.NOT_FOUND);
  });

  test('is what the client’s own health service asks', async () => {
    const answer = await stage.connection.healthService.check({
      service: 'temporal.api.workflowservice.v1.WorkflowService',
    });
    expect(answer.status).toBe(1);
  });
});
