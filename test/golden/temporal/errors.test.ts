/** Invalid and edge requests: the same code and details as a real server, and the texts that clients look at. */
import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { google } from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GrpcStage } from '../../door/temporal/grpc-stage.ts';
import { deliberateErrors } from './deliberate.ts';
import { expand, readGolden } from './golden.ts';

interface Answer {
  readonly code: keyof typeof status;
  readonly message?: string;
  readonly details?: readonly string[];
}

interface Case {
  readonly name: string;
  readonly calls: readonly {
    readonly method: string;
    readonly request: Readonly<Record<string, unknown>>;
    readonly sameRequestIdAs?: number;
  }[];
  readonly answer: Answer;
}

const { cases } = readGolden<{ cases: readonly Case[] }>('errors');

/** Clients look at the beginning of these texts. */
const compared = ['Invalid schedule spec:', 'mismatched conflict token', 'too many concurrent backfillers'];

let stage: GrpcStage;
beforeAll(async () => {
  stage = await GrpcStage.open();
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

async function send(method: string, request: object): Promise<{ answer: Answer; token?: Uint8Array }> {
  const service = stage.service as unknown as Record<string, (request: object) => Promise<object>>;
  try {
    const answer = (await service[method]?.call(stage.service, request)) as { conflictToken?: Uint8Array };
    const { conflictToken } = answer;
    return { answer: { code: 'OK' }, ...(conflictToken === undefined ? {} : { token: conflictToken }) };
  } catch (error) {
    const { code, details, metadata } = error as {
      code: number;
      details: string;
      metadata: { get(name: string): Buffer[] };
    };
    const [bytes] = metadata.get('grpc-status-details-bin');
    const named = bytes === undefined ? [] : (google.rpc.Status.decode(bytes).details ?? []);
    return {
      answer: {
        code: status[code] as keyof typeof status,
        message: details,
        ...(named.length === 0
          ? {}
          : { details: named.map(({ type_url: url }) => url?.split('.').at(-1) ?? '') }),
      },
    };
  }
}

async function replay({ name, calls }: Case): Promise<Answer> {
  const tokens: (Uint8Array | undefined)[] = [];
  const requestIds: string[] = [];
  let last: Answer | undefined;
  for (const { method, request, sameRequestIdAs } of calls) {
    // A call before the last one is refused only where that is the difference.
    if (last !== undefined && last.code !== 'OK') {
      expect(deliberateErrors).toHaveProperty(name);
      return last;
    }
    const requestId = sameRequestIdAs === undefined ? randomUUID() : requestIds[sameRequestIdAs];
    const expanded = expand(request, { stem: 'golden', tokens }) as Record<string, unknown>;
    requestIds.push((expanded.requestId as string | undefined) ?? requestId ?? '');
    const knows = ['createSchedule', 'updateSchedule', 'patchSchedule'].includes(method);
    const { answer, token } = await send(method, knows ? { requestId, ...expanded } : expanded);
    tokens.push(token);
    last = answer;
  }
  return last as Answer;
}

describe('the recorded errors', () => {
  test.each(cases.map((each) => [each.name, each] as const))('%s', async (name, each) => {
    const answer = await replay(each);
    const deliberate = deliberateErrors[name];
    if (deliberate !== undefined) {
      expect(answer.code).toBe(deliberate.ours);
      expect(deliberate.ours).not.toBe(each.answer.code);
      return;
    }
    const { code, details, message = '' } = each.answer;
    expect({ code: answer.code, details: answer.details }).toEqual({ code, details });
    if (compared.some((text) => message.startsWith(text))) {
      expect(answer.message?.slice(0, message.length)).toBe(message);
    }
  });
});
