/**
 * The templates table. Its items are in collections:
 *
 *   collection | key of an item        | content
 *   templates  | template              | the template
 *   users      | template              | the endpoints that use it
 *   runtime    | template              | its run time
 *   deleted    | template              | a deleted template, for a limited time
 *   names      | name                  | the template with the name, so that names are unique
 *   pinned     | endpoint and template | the versions that the endpoint pins
 *   metered    | worker                | a worker whose run time was already added
 */
import type { BatchGetCommandInput, BatchGetCommandOutput } from '@aws-sdk/lib-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '../../core/clock.ts';
import { TEMPLATE_ID } from '../../core/endpoints/endpoint.ts';
import { SECOND } from '../../core/limits.ts';
import { DELETED_KEPT, RUN_TIME_KEPT } from '../../core/templates/limits.ts';
import type { Templates } from '../../core/templates/store.ts';
import { nameKeyOf, type Template, templateSchema } from '../../core/templates/template.ts';
import {
  and,
  compare,
  conditionExpression,
  contains,
  exists,
  notExists,
  queryExpression,
  updateExpression,
} from '../expressions.ts';
import { unlessNewer } from '../readable.ts';
import { transact } from '../transaction.ts';

type Collection = 'templates' | 'names' | 'users' | 'runtime' | 'pinned' | 'deleted' | 'metered';
type Item = Record<string, unknown>;

const keyOf = (collection: Collection, item: string) => ({ collection, item });
const keyOfName = ({ name }: Pick<Template, 'name'>) => keyOf('names', nameKeyOf(name));

const absent = conditionExpression(notExists('item'));
const present = conditionExpression(exists('item'));
const usable = conditionExpression(and(exists('item'), notExists('withdrawnAt')));
const unused = conditionExpression(notExists('endpoints'));
const asIn = ({ edition }: Template) => conditionExpression(compare('edition', '=', edition));

/** Number of stored versions of a template that an endpoint pins: the current one, and the one for a rollback. */
const PINNED = 2;
const keyOfPinned = (endpoint: string, id: string) => keyOf('pinned', `${endpoint}/${id}`);
const versionsSchema = z.array(templateSchema);

/** Returns the elements of a set attribute, sorted. DynamoDB does not store empty sets. */
const textsIn = (set: unknown): string[] =>
  set instanceof Set ? [...set].map(String).sort((a, b) => a.localeCompare(b)) : [];

export function createTemplates(documents: DynamoDBDocumentClient, table: string, clock: Clock): Templates {
  const TableName = table;
  const removeAfter = (milliseconds: number) => Math.ceil((clock.now() + milliseconds) / SECOND);
  // `env` can have a variable named `constructor`, and the SDK would treat such an object as the instance of a class.
  const mapOf = (value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : value;
  const stored = (template: Template) => ({
    ...template,
    env: mapOf(template.env),
    ...(template.drift && { drift: template.drift.map((each) => ({ ...each, declared: mapOf(each.declared) })) }),
  });
  const itemIn = (collection: Collection, template: Template) => ({
    ...keyOf(collection, template.id),
    ...stored(template),
  });
  const itemOf = (template: Template) => ({ TableName, Item: itemIn('templates', template) });
  const nameOf = (template: Template) => ({ TableName, Item: { ...keyOfName(template), template: template.id } });

  async function itemAt(key: Item): Promise<Item | undefined> {
    return (await documents.send(new GetCommand({ TableName, Key: key, ConsistentRead: true }))).Item;
  }

  const versionsOf = async (endpoint: string, id: string) =>
    versionsSchema.parse((await itemAt(keyOfPinned(endpoint, id)))?.versions ?? []);

  /**
   * Checks that the template exists and that the endpoint already uses it, in one transaction. An endpoint that
   * already uses a withdrawn template can continue to use it.
   */
  async function isKept(id: string, endpoint: string): Promise<boolean> {
    const itsUser = conditionExpression(contains('endpoints', endpoint));
    const refused = await transact(documents, clock, [
      { ConditionCheck: { TableName, Key: keyOf('templates', id), ...present } },
      { ConditionCheck: { TableName, Key: keyOf('users', id), ...itsUser } },
    ]);
    return refused === undefined;
  }

  return {
    async create(template) {
      const refused = await transact(documents, clock, [
        { Put: { ...nameOf(template), ...absent } },
        { Put: { ...itemOf(template), ...absent } },
      ]);
      if (refused === undefined) return 'written';
      return refused === 0 ? 'name taken' : 'changed';
    },

    async read(id) {
      // A path can contain any string, and a key that exceeds DynamoDB's maximum would cause an error.
      if (!TEMPLATE_ID.test(id)) return undefined;
      const item = unlessNewer(await itemAt(keyOf('templates', id)));
      return item && templateSchema.parse(item);
    },

    async named(name) {
      const item = await itemAt(keyOfName({ name }));
      return item && String(item.template);
    },

    async *list(after = ' ') {
      const query = {
        TableName,
        ...queryExpression(and(compare('collection', '=', 'templates'), compare('item', '>', after))),
        ConsistentRead: true,
      };
      for await (const { Items = [] } of paginateQuery({ client: documents }, query))
        for (const item of Items.filter(unlessNewer)) yield templateSchema.parse(item);
    },

    async replace(from, to) {
      const put = { Put: { ...itemOf(to), ...asIn(from) } };
      const isRenamed = nameKeyOf(from.name) !== nameKeyOf(to.name);
      const renaming = [{ Put: { ...nameOf(to), ...absent } }, { Delete: { TableName, Key: keyOfName(from) } }];
      const refused = await transact(documents, clock, isRenamed ? [put, ...renaming] : [put]);
      if (refused === undefined) return 'written';
      return refused === 0 ? 'changed' : 'name taken';
    },

    async remove(template) {
      const { id } = template;
      const kept = { ...itemIn('deleted', template), removeAfter: removeAfter(DELETED_KEPT) };
      const refused = await transact(documents, clock, [
        { Delete: { TableName, Key: keyOf('templates', id), ...asIn(template) } },
        { Delete: { TableName, Key: keyOf('users', id), ...unused } },
        { Delete: { TableName, Key: keyOfName(template) } },
        { Delete: { TableName, Key: keyOf('runtime', id) } },
        { Put: { TableName, Item: kept } },
      ]);
      return refused === undefined;
    },

    usersOf: async (id) => textsIn((await itemAt(keyOf('users', id)))?.endpoints),

    async associate(id, endpoint) {
      const refused = await transact(documents, clock, [
        { ConditionCheck: { TableName, Key: keyOf('templates', id), ...usable } },
        {
          Update: {
            TableName,
            Key: keyOf('users', id),
            ...updateExpression({ add: { endpoints: new Set([endpoint]) } }),
          },
        },
      ]);
      return refused === undefined || isKept(id, endpoint);
    },

    async dissociate(id, endpoint) {
      const update = new UpdateCommand({
        TableName,
        Key: keyOf('users', id),
        ...updateExpression({ delete: { endpoints: new Set([endpoint]) } }),
      });
      await documents.send(update);
      await documents.send(new DeleteCommand({ TableName, Key: keyOfPinned(endpoint, id) }));
    },

    async pin(endpoint, template) {
      const { id, version } = template;
      const others = (await versionsOf(endpoint, id)).filter((other) => other.version !== version);
      // Workers need neither the readme nor the drift, and two of the longest readmes would almost fill an item.
      const { drift: _, ...pinned } = template;
      const versions = [{ ...pinned, readme: '' }, ...others].slice(0, PINNED).map(stored);
      await documents.send(new PutCommand({ TableName, Item: { ...keyOfPinned(endpoint, id), versions } }));
    },

    pinned: async (endpoint, id, version) =>
      (await versionsOf(endpoint, id)).find((template) => template.version === version),

    async addRunTime({ worker, template, milliseconds }) {
      // A worker can stop after its template was removed, and a later template can have the same id.
      await transact(documents, clock, [
        { ConditionCheck: { TableName, Key: keyOf('templates', template), ...present } },
        {
          Put: { TableName, Item: { ...keyOf('metered', worker), removeAfter: removeAfter(RUN_TIME_KEPT) }, ...absent },
        },
        {
          Update: {
            TableName,
            Key: keyOf('runtime', template),
            ...updateExpression({ add: { milliseconds } }),
          },
        },
      ]);
    },

    async runTimes(ids) {
      const runtimes = new Map<string, number>();
      const Keys = [...new Set(ids)].map((id) => keyOf('runtime', id));
      let wanted: BatchGetCommandInput['RequestItems'] = Keys.length > 0 ? { [table]: { Keys } } : {};
      // DynamoDB can return without reading all keys.
      while (wanted && Object.keys(wanted).length > 0) {
        const answer: BatchGetCommandOutput = await documents.send(new BatchGetCommand({ RequestItems: wanted }));
        for (const { item, milliseconds } of answer.Responses?.[table] ?? [])
          runtimes.set(String(item), Number(milliseconds));
        wanted = answer.UnprocessedKeys;
      }
      return runtimes;
    },
  };
}
