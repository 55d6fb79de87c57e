/**
 * The templates table. Its items are in collections:
 *
 *   collection | key of an item        | content
 *   templates  | template              | the template
 *   users      | template              | the endpoints that use it, in the set `endpoints`
 *   runtime    | template              | its run time
 *   deleted    | template              | a deleted template, for a limited time
 *   names      | name                  | the template with the name, so that names are unique
 *   pinned     | endpoint and template | the versions that the endpoint pins
 *   replaced   | template and version  | a version that a newer one has replaced, for a limited time
 *   metered    | worker                | a worker whose run time was already added
 */
import {
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
import { DELETED_KEPT, RUN_TIME_KEPT, VERSIONS_KEPT } from '../../core/templates/limits.ts';
import type { Templates } from '../../core/templates/store.ts';
import { nameKeyOf, type Template, templateSchema } from '../../core/templates/template.ts';
import { batchGet } from '../batch-get.ts';
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

type Collection = 'templates' | 'names' | 'users' | 'runtime' | 'pinned' | 'replaced' | 'deleted' | 'metered';
type Item = Record<string, unknown>;

const keyOf = (collection: Collection, item: string) => ({ collection, item });
const keyOfName = ({ name }: Pick<Template, 'name'>) => keyOf('names', nameKeyOf(name));

const ifAbsent = conditionExpression(notExists('item'));
const ifPresent = conditionExpression(exists('item'));
const ifNotWithdrawn = conditionExpression(and(exists('item'), notExists('withdrawnAt')));
const ifUnused = conditionExpression(notExists('endpoints'));
const ifUsedBy = (endpoint: string) => conditionExpression(contains('endpoints', endpoint));
/** Each change of a template increments its edition. */
const ifUnchanged = ({ edition }: Template) => conditionExpression(compare('edition', '=', edition));

/** Sorts before every id of a template. DynamoDB accepts no empty key. */
const BEFORE_ALL_IDS = ' ';

/** Number of stored versions of a template that an endpoint pins: the current one, and the one for a rollback. */
const PINNED_VERSIONS = 2;
const keyOfPinned = (endpoint: string, id: string) => keyOf('pinned', `${endpoint}/${id}`);
const versionsSchema = z.array(templateSchema);
const keyOfReplaced = (id: string, version: number) => keyOf('replaced', `${id}/${version}`);

/**
 * Returns the template as an older version. Workers need neither the readme nor the drift, and two of the longest readmes
 * would almost fill an item.
 */
const asVersion = ({ drift: _, ...template }: Template): Template => ({ ...template, readme: '' });

/** Returns the elements of a set attribute, sorted. DynamoDB does not store empty sets. */
const sortedElements = (set: unknown): string[] =>
  set instanceof Set ? [...set].map(String).sort((a, b) => a.localeCompare(b)) : [];

export function createTemplates(documents: DynamoDBDocumentClient, table: string, clock: Clock): Templates {
  const TableName = table;
  const removeAfter = (milliseconds: number) => Math.ceil((clock.now() + milliseconds) / SECOND);
  // `env` can have a variable named `constructor`, and the SDK would treat such an object as the instance of a class.
  const toMap = (value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : value;
  const attributesOf = (template: Template) => ({
    ...template,
    env: toMap(template.env),
    ...(template.drift && { drift: template.drift.map((each) => ({ ...each, declared: toMap(each.declared) })) }),
  });
  const putTemplate = (template: Template) => ({
    TableName,
    Item: { ...keyOf('templates', template.id), ...attributesOf(template) },
  });
  const putName = (template: Template) => ({ TableName, Item: { ...keyOfName(template), template: template.id } });
  const putReplaced = (template: Template) => ({
    TableName,
    Item: {
      ...keyOfReplaced(template.id, template.version),
      ...attributesOf(asVersion(template)),
      removeAfter: removeAfter(VERSIONS_KEPT),
    },
  });
  const putDeleted = (template: Template) => ({
    TableName,
    Item: {
      ...keyOf('deleted', template.id),
      ...attributesOf(template),
      removeAfter: removeAfter(DELETED_KEPT),
    },
  });

  async function readItem(key: Item): Promise<Item | undefined> {
    return (await documents.send(new GetCommand({ TableName, Key: key, ConsistentRead: true }))).Item;
  }

  const pinnedVersions = async (endpoint: string, id: string) =>
    versionsSchema.parse((await readItem(keyOfPinned(endpoint, id)))?.versions ?? []);

  /**
   * Checks that the template exists and that the endpoint already uses it, in one transaction. An endpoint that
   * already uses a withdrawn template can continue to use it.
   */
  async function alreadyUses(endpoint: string, id: string): Promise<boolean> {
    const refused = await transact(documents, clock, [
      { ConditionCheck: { TableName, Key: keyOf('templates', id), ...ifPresent } },
      { ConditionCheck: { TableName, Key: keyOf('users', id), ...ifUsedBy(endpoint) } },
    ]);
    return refused === undefined;
  }

  return {
    async create(template) {
      const refused = await transact(documents, clock, [
        { Put: { ...putName(template), ...ifAbsent } },
        { Put: { ...putTemplate(template), ...ifAbsent } },
      ]);
      if (refused === undefined) return 'written';
      return refused === 0 ? 'name taken' : 'changed';
    },

    async read(id) {
      // A path can contain any string, and a key that exceeds DynamoDB's maximum would cause an error.
      if (!TEMPLATE_ID.test(id)) return undefined;
      const item = unlessNewer(await readItem(keyOf('templates', id)));
      return item && templateSchema.parse(item);
    },

    async named(name) {
      const item = await readItem(keyOfName({ name }));
      return item && String(item.template);
    },

    async *list(after = BEFORE_ALL_IDS) {
      const query = {
        TableName,
        ...queryExpression(and(compare('collection', '=', 'templates'), compare('item', '>', after))),
        ConsistentRead: true,
      };
      for await (const { Items = [] } of paginateQuery({ client: documents }, query))
        for (const item of Items.filter(unlessNewer)) yield templateSchema.parse(item);
    },

    async replace(from, to) {
      const put = { Put: { ...putTemplate(to), ...ifUnchanged(from) } };
      const retaining = from.version === to.version ? [] : [{ Put: putReplaced(from) }];
      const isRenamed = nameKeyOf(from.name) !== nameKeyOf(to.name);
      const renaming = [{ Put: { ...putName(to), ...ifAbsent } }, { Delete: { TableName, Key: keyOfName(from) } }];
      const refused = await transact(documents, clock, [put, ...retaining, ...(isRenamed ? renaming : [])]);
      if (refused === undefined) return 'written';
      return refused === 0 ? 'changed' : 'name taken';
    },

    async replaced(id, version) {
      const item = unlessNewer(await readItem(keyOfReplaced(id, version)));
      return item && templateSchema.parse(item);
    },

    async remove(template) {
      const { id } = template;
      const refused = await transact(documents, clock, [
        { Delete: { TableName, Key: keyOf('templates', id), ...ifUnchanged(template) } },
        { Delete: { TableName, Key: keyOf('users', id), ...ifUnused } },
        { Delete: { TableName, Key: keyOfName(template) } },
        { Delete: { TableName, Key: keyOf('runtime', id) } },
        { Put: putDeleted(template) },
      ]);
      return refused === undefined;
    },

    endpointsOf: async (id) => sortedElements((await readItem(keyOf('users', id)))?.endpoints),

    async associate(id, endpoint) {
      const refused = await transact(documents, clock, [
        { ConditionCheck: { TableName, Key: keyOf('templates', id), ...ifNotWithdrawn } },
        {
          Update: {
            TableName,
            Key: keyOf('users', id),
            ...updateExpression({ add: { endpoints: new Set([endpoint]) } }),
          },
        },
      ]);
      return refused === undefined || alreadyUses(endpoint, id);
    },

    async dissociate(id, endpoint) {
      const update = new UpdateCommand({
        TableName,
        Key: keyOf('users', id),
        ...updateExpression({ delete: { endpoints: new Set([endpoint]) } }),
      });
      // The pinned versions are deleted last. If the second write fails, the endpoint no longer uses the template, and a
      // repeated call deletes the versions. In the other order, an endpoint could use a template without the version
      // that it pins.
      await documents.send(update);
      await documents.send(new DeleteCommand({ TableName, Key: keyOfPinned(endpoint, id) }));
    },

    async pin(endpoint, template) {
      const { id, version } = template;
      const others = (await pinnedVersions(endpoint, id)).filter((other) => other.version !== version);
      const versions = [asVersion(template), ...others].slice(0, PINNED_VERSIONS).map(attributesOf);
      await documents.send(new PutCommand({ TableName, Item: { ...keyOfPinned(endpoint, id), versions } }));
    },

    pinned: async (endpoint, id, version) =>
      (await pinnedVersions(endpoint, id)).find((template) => template.version === version),

    async addRunTime({ worker, template, milliseconds }) {
      // A worker can stop after its template was removed, and a later template can have the same id.
      await transact(documents, clock, [
        { ConditionCheck: { TableName, Key: keyOf('templates', template), ...ifPresent } },
        {
          Put: {
            TableName,
            Item: { ...keyOf('metered', worker), removeAfter: removeAfter(RUN_TIME_KEPT) },
            ...ifAbsent,
          },
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
      const items = await batchGet(documents, clock, {
        table,
        keys: [...new Set(ids)].map((id) => keyOf('runtime', id)),
        what: (unread) => `the run time of ${unread} templates`,
      });
      return new Map(items.map(({ item, milliseconds }) => [String(item), Number(milliseconds)]));
    },
  };
}
