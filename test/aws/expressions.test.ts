/** Tests what DynamoDB receives, and what its emulator does with it. */
import { globSync, readFileSync } from 'node:fs';
import { GetCommand, PutCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { unlessRefused } from '../../aws/conditional-write.ts';
import {
  and,
  beginsWith,
  between,
  type Condition,
  compare,
  conditionExpression,
  contains,
  exists,
  ifNotExists,
  not,
  notExists,
  or,
  path,
  plus,
  queryExpression,
  size,
  type Update,
  updateExpression,
} from '../../aws/expressions.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const textOf = (condition: Condition) => conditionExpression(condition).ConditionExpression;

describe('an update expression', () => {
  it('has a clause for each kind of change, and the same placeholder for each use of a name or a value', () => {
    const update = updateExpression({
      set: { state: 'PENDING', attempts: plus(ifNotExists('attempts', 0), 1), lastError: undefined },
      remove: ['leaseEnds'],
      add: { calls: 1, slots: new Set(['a']) },
      delete: { users: new Set(['b']) },
      condition: compare('state', '<>', 'PENDING'),
    });
    expect(update).toEqual({
      UpdateExpression:
        'SET #n0 = :v0, #n1 = if_not_exists(#n1, :v1) + :v2 REMOVE #n2, #n3 ADD #n4 :v2, #n5 :v3 DELETE #n6 :v4',
      ConditionExpression: '#n0 <> :v0',
      ExpressionAttributeNames: {
        '#n0': 'state',
        '#n1': 'attempts',
        '#n2': 'leaseEnds',
        '#n3': 'lastError',
        '#n4': 'calls',
        '#n5': 'slots',
        '#n6': 'users',
      },
      ExpressionAttributeValues: {
        ':v0': 'PENDING',
        ':v1': 0,
        ':v2': 1,
        ':v3': new Set(['a']),
        ':v4': new Set(['b']),
      },
    });
  });

  it('has neither a condition nor values if there are none', () => {
    const update = updateExpression({ remove: ['state'], set: {}, add: {} });
    expect(Object.entries(update).filter(([, value]) => value !== undefined)).toEqual([
      ['UpdateExpression', 'REMOVE #n0'],
      ['ExpressionAttributeNames', { '#n0': 'state' }],
    ]);
  });
});

describe('a condition', () => {
  const [a, b, c] = [exists('a'), exists('b'), exists('c')];
  const [A, B, C] = ['attribute_exists(#n0)', 'attribute_exists(#n1)', 'attribute_exists(#n2)'];

  it.each([
    [a, A],
    [and(a, b, c), `${A} AND ${B} AND ${C}`],
    [or(a, and(b, c)), `${A} OR (${B} AND ${C})`],
    [and(or(a, b), c), `(${A} OR ${B}) AND ${C}`],
    [and(or(a, b)), `${A} OR ${B}`],
    [or(and(a), not(or(b, c))), `${A} OR NOT (${B} OR ${C})`],
    [not(a), `NOT ${A}`],
  ])('has the parentheses that it needs, and no others: %#', (condition, text) => {
    expect(textOf(condition)).toBe(text);
  });

  it.each([
    [notExists('a'), 'attribute_not_exists(#n0)'],
    [contains('a', 'x'), 'contains(#n0, :v0)'],
    [beginsWith('a', 'x'), 'begins_with(#n0, :v0)'],
    [between('a', 'x', 'y'), '#n0 BETWEEN :v0 AND :v1'],
    [compare(size('a'), '<', 3), 'size(#n0) < :v0'],
    [compare(path('a', 'b'), '=', 3), '#n0.#n1 = :v0'],
  ])('writes the functions of DynamoDB: %#', (condition, text) => {
    expect(textOf(condition)).toBe(text);
  });
});

describe('DynamoDB', () => {
  useEmulatedDeployment();
  const TableName = 'ENDPOINTS_TABLE';
  const Key = { endpoint: 'expressions', item: 'one' };

  const update = (changes: Update) =>
    unlessRefused(createDocumentClient().send(new UpdateCommand({ TableName, Key, ...updateExpression(changes) })));
  const read = async () => (await createDocumentClient().send(new GetCommand({ TableName, Key }))).Item;
  const put = (item: object, condition: Condition) =>
    unlessRefused(
      createDocumentClient().send(
        new PutCommand({ TableName, Item: { ...Key, ...item }, ...conditionExpression(condition) }),
      ),
    );

  it('executes each kind of change', async () => {
    expect(await put({ first: 1, old: 1, slots: new Set(['a', 'b']) }, notExists('item'))).toBe(true);
    const changes: Update = {
      set: { first: plus('first', 1), second: plus(ifNotExists('second', 0), 5), old: undefined, map: { count: 1 } },
      add: { third: 7, users: new Set(['x']) },
      delete: { slots: new Set(['a']) },
      condition: and(contains('slots', 'a'), compare(size('slots'), '=', 2), not(compare('nothing', '>', 0))),
    };
    expect(await update(changes)).toBe(true);
    expect(await read()).toEqual({
      ...Key,
      first: 2,
      second: 5,
      third: 7,
      users: new Set(['x']),
      slots: new Set(['b']),
      map: { count: 1 },
    });
    expect(await update(changes)).toBe(false);
    expect(await update({ remove: ['map'], condition: compare(path('map', 'count'), '=', 1) })).toBe(true);
    expect(await put({}, or(notExists('item'), compare('first', '<', 2)))).toBe(false);
  });

  it.each(['status', 'a.b', 'x = :v0 OR attribute_exists(item)', '#n0', ':v0', 'size(item)', '__proto__x'])(
    'receives names and values as they are: %s',
    async (text) => {
      expect(await put({ [text]: text }, or(exists('item'), notExists('item')))).toBe(true);
      expect(await update({ set: { found: text }, condition: compare(text, '=', text) })).toBe(true);
      expect(await update({ set: { found: 'other' }, condition: compare(text, '<>', text) })).toBe(false);
      expect(await read()).toEqual({ ...Key, [text]: text, found: text });
    },
  );

  it('returns the items of a query whose keys and attributes meet its conditions', async () => {
    const documents = createDocumentClient();
    for (const [item, state] of Object.entries({ a1: 'OPEN', a2: 'OPEN', a3: 'DONE', b1: 'OPEN' }))
      await documents.send(new PutCommand({ TableName, Item: { endpoint: 'queried', item, state } }));
    const found = async (key: Condition, filter?: Condition) => {
      const query = { TableName, ...queryExpression(and(compare('endpoint', '=', 'queried'), key), filter) };
      const pages = await Array.fromAsync(paginateQuery({ client: documents }, query));
      return pages.flatMap(({ Items = [] }) => Items.map(({ item }) => item));
    };
    expect(await found(beginsWith('item', 'a'))).toEqual(['a1', 'a2', 'a3']);
    expect(await found(beginsWith('item', 'a'), compare('state', '=', 'OPEN'))).toEqual(['a1', 'a2']);
    expect(await found(between('item', 'a2', 'b1'))).toEqual(['a2', 'a3', 'b1']);
    expect(await found(compare('item', '>', 'a2'))).toEqual(['a3', 'b1']);
  });
});

describe('the adapters', () => {
  it('write no expression as text, except for the transitions of jobs', () => {
    const written = /\b(?:Update|Condition|KeyCondition|Filter|Projection)Expression:|\bExpressionAttribute\w+:/;
    const files = globSync('{aws,lambda,ingress,worker,core}/**/*.ts').filter((file) =>
      written.test(readFileSync(file, 'utf8')),
    );
    expect(files.sort()).toEqual(['aws/conditional-write.ts', 'aws/expressions.ts']);
  });
});
