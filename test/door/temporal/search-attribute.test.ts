import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { internalsOf } from '../../../packages/carillon/src/embed/internals.ts';
import type { AttributeType } from '../../../packages/carillon/src/service/attribute-type.ts';
import { attributeTypes } from '../../../packages/carillon/src/service/attribute-type.ts';
import {
  attributePayload,
  comparableAttributes,
  readSearchAttributes,
  withTypes,
  writeSearchAttributes,
} from '../../../packages/server/src/door/temporal/search-attributes/payload.ts';
import { GrpcStage, schedule } from './grpc-stage.ts';

const types: ReadonlyMap<string, AttributeType> = new Map(attributeTypes.map((type) => [`My${type}`, type]));
const plain = { encoding: Buffer.from('json/plain') };

/** Without a type, as older clients send. */
function untyped(json: unknown) {
  return { metadata: plain, data: Buffer.from(JSON.stringify(json)) };
}

function read(fields: Readonly<Record<string, unknown>>) {
  const indexedFields = Object.fromEntries(
    Object.entries(fields).map(([name, json]) => [name, untyped(json)]),
  );
  return readSearchAttributes({ indexedFields }, types);
}

/** JSON and type of each payload. */
function shown(proto: ReturnType<typeof writeSearchAttributes>) {
  return Object.fromEntries(
    Object.entries(proto.indexedFields).map(([name, { metadata, data }]) => [
      name,
      [Buffer.from(metadata?.type ?? []).toString(), JSON.parse(Buffer.from(data ?? []).toString())],
    ]),
  );
}

describe('values of search attributes', () => {
  const values = {
    MyText: 'The quick fox',
    MyKeyword: 'red',
    MyInt: -5,
    MyDouble: 2.5,
    MyBool: false,
    MyDatetime: '2026-03-01T10:00:00.250Z',
    MyKeywordList: ['a', 'b'],
  };

  test('every type is read as a scalar and as a list of one, and comes back with its type', () => {
    const lists = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]),
    );
    for (const form of [values, lists]) {
      expect(shown(writeSearchAttributes(read(form), types))).toEqual({
        MyText: ['Text', 'The quick fox'],
        MyKeyword: ['Keyword', 'red'],
        MyInt: ['Int', -5],
        MyDouble: ['Double', 2.5],
        MyBool: ['Bool', false],
        MyDatetime: ['Datetime', '2026-03-01T10:00:00.250Z'],
        MyKeywordList: ['KeywordList', ['a', 'b']],
      });
    }
  });

  test('times are stored as instants and texts with their words', () => {
    expect(read({ MyDatetime: '2026-03-01T11:00:00.123456789+01:00', MyText: 'Fox, fox!' })).toEqual({
      MyDatetime: Date.UTC(2026, 2, 1, 10, 0, 0, 123),
      MyText: ['Fox, fox!', 'fox'],
    });
  });

  test('nothing, an empty list and null are no value', () => {
    expect(read({ MyKeyword: null, MyInt: [], MyKeywordList: [] })).toEqual({});
    const none = { metadata: { encoding: Buffer.from('binary/null') } };
    expect(readSearchAttributes({ indexedFields: { MyKeyword: none } }, types)).toEqual({});
    expect(readSearchAttributes(null, types)).toEqual({});
  });

  test.each([
    ['MyInt', 1.5],
    ['MyInt', 'x'],
    ['MyDouble', 'x'],
    ['MyBool', 'true'],
    ['MyKeyword', 5],
    ['MyKeyword', ['a', 'b']],
    ['MyDatetime', 'tomorrow'],
    ['MyDatetime', 5],
    ['MyKeywordList', ['a', 1]],
    ['MyText', { a: 1 }],
  ])('%s refuses %j', (name, json) => {
    expect(() => read({ [name]: json })).toThrow(
      `searchAttributes.${name}: invalid value for search attribute ${name} of type ${types.get(name)}`,
    );
  });

  test('every problem is named, not only the first', () => {
    expect(() => read({ MyInt: 'x', Unknown: 1, WorkflowId: 'w' })).toThrow(
      /invalid value for search attribute MyInt.*search attribute Unknown is not defined.*WorkflowId attribute can't be set/,
    );
  });

  test('the registered type counts, not the one beside the value', () => {
    const indexedFields = { MyInt: attributePayload(5, 'Keyword') };
    expect(readSearchAttributes({ indexedFields }, types)).toEqual({ MyInt: 5 });
  });

  test('reserved names are dropped', () => {
    expect(read({ TemporalScheduledById: 'x', BuildIds: ['a'], MyInt: 1 })).toEqual({ MyInt: 1 });
  });

  test('sizes and numbers have limits', () => {
    expect(() => read({ MyKeyword: 'x'.repeat(3000) })).toThrow('exceeds size limit 2048');
    const many = new Map(Array.from({ length: 101 }, (_, index) => [`N${index}`, 'Int' as const]));
    const indexedFields = Object.fromEntries([...many.keys()].map((name) => [name, untyped(1)]));
    expect(() => readSearchAttributes({ indexedFields }, many)).toThrow('number of search attributes 101');
  });

  test('what came through another door gets the type it looks like', () => {
    const stored = { color: 'red', size: 5, weight: 1.5, ready: true, labels: ['a'], MyInt: 'not a number' };
    expect(shown(writeSearchAttributes(stored, types))).toEqual({
      color: ['Keyword', 'red'],
      size: ['Int', 5],
      weight: ['Double', 1.5],
      ready: ['Bool', true],
      labels: ['KeywordList', ['a']],
      MyInt: ['Keyword', 'not a number'],
    });
  });

  test('what a client sent comes back as it was, with its type', () => {
    const data = Buffer.from('["2026-03-01T11:00:00.123456789+01:00"]');
    const { indexedFields } = withTypes({ indexedFields: { MyDatetime: { metadata: plain, data } } }, types);
    expect(indexedFields.MyDatetime?.data).toBe(data);
    expect(Buffer.from(indexedFields.MyDatetime?.metadata?.type ?? []).toString()).toBe('Datetime');
  });

  test('what cannot be compared any more is left out of comparisons, without a complaint', () => {
    const indexedFields = { MyInt: untyped('x'), Gone: untyped(1), MyKeyword: untyped('k') };
    expect(comparableAttributes({ indexedFields }, types)).toEqual({ MyKeyword: 'k' });
  });
});

describe('the registry, through the official client', () => {
  let stage: GrpcStage;
  const namespace = 'default';

  beforeAll(async () => {
    stage = await GrpcStage.open();
  });

  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
  });

  const operator = () => stage.connection.operatorService;
  const custom = async () => (await operator().listSearchAttributes({ namespace })).customAttributes;

  test('attributes are added, listed beside the built-in ones, and removed', async () => {
    await operator().addSearchAttributes({ namespace, searchAttributes: { A: 2, B: 3 } });
    expect(await custom()).toEqual({ A: 2, B: 3 });
    const { systemAttributes } = await operator().listSearchAttributes({ namespace });
    expect(systemAttributes).toMatchObject({
      WorkflowId: 2,
      StartTime: 6,
      TemporalSchedulePaused: 5,
      BuildIds: 7,
    });
    const { keys } = await stage.service.getSearchAttributes({});
    expect(keys).toMatchObject({ A: 2, B: 3, WorkflowId: 2 });
    await operator().removeSearchAttributes({ namespace, searchAttributes: ['B'] });
    expect(await custom()).toEqual({ A: 2 });
    const { items } = await internalsOf(stage.carillon).runtime.store.audit({
      target: 'search-attributes/custom',
      limit: 10,
    });
    expect(items).toMatchObject([
      { action: 'remove', before: '{"types":{"A":"Keyword","B":"Int"}}', after: '{"types":{"A":"Keyword"}}' },
      { action: 'add', before: null },
    ]);
  });

  test('adding the same again is fine, with another type it is not, and then nothing is added', async () => {
    const audited = async () =>
      (await internalsOf(stage.carillon).runtime.store.audit({ namespace, limit: 100 })).items.length;
    await operator().addSearchAttributes({ namespace, searchAttributes: { Same: 2 } });
    const before = await audited();
    await operator().addSearchAttributes({ namespace, searchAttributes: { Same: 2 } });
    expect(await audited()).toBe(before);
    const other = operator().addSearchAttributes({ namespace, searchAttributes: { New: 2, Same: 3 } });
    await expect(other).rejects.toMatchObject({
      code: 6,
      details: 'Search attribute Same already exists with type Keyword.',
    });
    expect(await custom()).not.toHaveProperty('New');
  });

  test.each([
    [{ WorkflowId: 2 }, 'Search attribute WorkflowId is reserved by system.'],
    [{ TemporalSchedulePaused: 5 }, 'reserved by system'],
    [{ id: 2 }, 'reserved by system'],
    [{ $x: 2 }, 'reserved by system'],
    [{ X: 99 }, 'unknown type 99'],
    [{ '': 2 }, 'have 1 to 255 characters'],
    [{}, 'SearchAttributes are not set on request.'],
  ])('%j cannot be added', async (searchAttributes, details) => {
    const adding = operator().addSearchAttributes({ namespace, searchAttributes });
    await expect(adding).rejects.toMatchObject({ code: 3, details: expect.stringContaining(details) });
  });

  test('what is not there counts as removed, and what is built in cannot be removed', async () => {
    const remove = (name: string) =>
      operator().removeSearchAttributes({ namespace, searchAttributes: [name] });
    await remove('Nope');
    await expect(remove('RunId')).rejects.toMatchObject({ code: 3 });
  });

  test('namespaces do not see each other’s', async () => {
    await stage.service.registerNamespace({ namespace: 'other' });
    await operator().addSearchAttributes({ namespace: 'other', searchAttributes: { Elsewhere: 1 } });
    expect(await custom()).not.toHaveProperty('Elsewhere');
  });

  test('schedules are found by attributes of every type', async () => {
    const searchAttributes = { FText: 1, FKeyword: 2, FInt: 3, FDouble: 4, FBool: 5, FTime: 6, FList: 7 };
    await operator().addSearchAttributes({ namespace, searchAttributes });
    const create = (id: string, values: object) =>
      stage.client.schedule.create({ ...schedule(id), searchAttributes: values as never });
    const day = (number: number) => [new Date(Date.UTC(2026, 0, number))];
    await create('one', {
      FText: ['The Quick fox'],
      FKeyword: ['red'],
      FInt: [1],
      FDouble: [0.5],
      FBool: [true],
      FTime: day(1),
      FList: ['a', 'b'],
    });
    await create('two', {
      FKeyword: ['green'],
      FInt: [2],
      FDouble: [1.5],
      FBool: [false],
      FTime: day(2),
      FList: ['b'],
    });
    await stage.client.schedule.getHandle('two').pause();
    const found = async (query: string) => {
      const ids: string[] = [];
      for await (const { scheduleId } of stage.client.schedule.list({ query })) ids.push(scheduleId);
      return ids.sort();
    };
    expect(await found("FText = 'QUICK brown'")).toEqual(['one']);
    expect(await found("FText = 'qui'")).toEqual([]);
    expect(await found("FKeyword IN ('red', 'green')")).toEqual(['one', 'two']);
    expect(await found("FKeyword STARTS_WITH 'gr'")).toEqual(['two']);
    expect(await found('FInt > 1')).toEqual(['two']);
    expect(await found('FDouble BETWEEN 0 AND 1')).toEqual(['one']);
    expect(await found('FBool = true')).toEqual(['one']);
    expect(await found("FTime >= '2026-01-02T00:00:00Z'")).toEqual(['two']);
    expect(await found("FList = 'b'")).toEqual(['one', 'two']);
    expect(await found("FList = 'a'")).toEqual(['one']);
    expect(await found('FText IS NULL')).toEqual(['two']);
    expect(await found('TemporalSchedulePaused = true')).toEqual(['two']);
    expect(await found("ScheduleId = 'one' OR FInt = 2")).toEqual(['one', 'two']);
    expect(await found("ScheduleId STARTS_WITH 't' AND NOT FKeyword = 'red'")).toEqual(['two']);
    const described = await stage.client.schedule.getHandle('one').describe();
    expect(described.searchAttributes).toEqual({
      FText: ['The Quick fox'],
      FKeyword: ['red'],
      FInt: [1],
      FDouble: [0.5],
      FBool: [true],
      FTime: day(1),
      FList: ['a', 'b'],
    });
    expect(described.typedSearchAttributes.getAll()).toHaveLength(7);
  });
});
