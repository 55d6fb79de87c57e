/**
 * The endpoints table: each endpoint has one item `config`, which its stack writes, one item `state`, which the
 * service writes, and counters, one item for each partition of its jobs (`ledger.ts`). One query reads all these
 * items.
 */
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateScan,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../core/clock.ts';
import { countersFrom, countsIn, generationOf, sumOf } from '../../core/endpoints/counts.ts';
import {
  askedSchema,
  countedEndsSchema,
  type Endpoint,
  endpointConfigSchema,
  examplesSchema,
  reconciliationSchema,
  type WorkerPrice,
} from '../../core/endpoints/endpoint.ts';
import { isEndpointId } from '../../core/endpoints/endpoint-id.ts';
import { fleetSchema, unknownFleet } from '../../core/endpoints/fleet-state.ts';
import { releaseSchema } from '../../core/endpoints/release.ts';
import { spendingSchema } from '../../core/endpoints/spending.ts';
import type { Endpoints } from '../../core/endpoints/store.ts';
import { ENDPOINT_CACHE, KEY_CACHE, RESEND_TIMEOUT } from '../../core/limits.ts';
import { stateAfter } from '../../core/workers/apply-facts.ts';
import { createCache } from '../cache.ts';
import { refusalIn, unlessRefused } from '../conditional-write.ts';
import { and, compare, not, notExists, path, queryExpression, type Update, updateExpression } from '../expressions.ts';
import { isCounters } from '../ledger/ledger.ts';

type Item = Record<string, unknown>;

const numberIn = (item: Item | undefined, name: string) =>
  item?.[name] === undefined ? undefined : Number(item[name]);

/**
 * Returns the fleet state, without facts from before the last registration by the endpoint's stack, because a
 * registration is a release.
 */
function fleetFrom(state: Item | undefined, registeredAt: number) {
  const fleet = state?.fleet === undefined ? unknownFleet : fleetSchema.parse(state.fleet);
  return stateAfter(fleet, { is: 'released', at: registeredAt });
}

/**
 * Returns the key of an endpoint's examples. They are outside of the endpoint's partition, which every request
 * reads. No endpoint id contains `#`.
 */
const exampleKey = (id: string) => ({ endpoint: `examples#${id}`, item: 'examples' });

function examplesIn(items: readonly Item[] = []): Pick<Endpoint, 'examples'> {
  const [item] = items;
  return item ? { examples: examplesSchema.parse(item.examples) } : {};
}

/** Returns the endpoint. Without the item `config`, the endpoint does not exist, even if other items remain. */
function endpointFrom(items: readonly Item[]): Endpoint | undefined {
  const config = items.find(({ item }) => item === 'config');
  const state = items.find(({ item }) => item === 'state');
  if (!config) return undefined;
  const generation = numberIn(state, 'generation') ?? 0;
  const counters = items.filter(isCounters);
  const isPurged = (name: string) => (generationOf(name) ?? generation) < generation;
  return {
    ...endpointConfigSchema.parse({ ...config, id: config.endpoint }),
    generation,
    purgedAt: numberIn(state, 'purgedAt') ?? 0,
    desiredWorkers: numberIn(state, 'desiredWorkers'),
    desiredSince: numberIn(state, 'desiredSince'),
    scaleInAt: numberIn(state, 'scaleInAt'),
    messagesLostAt: numberIn(state, 'hintsLostAt'),
    asked: state?.asked === undefined ? undefined : askedSchema.parse(state.asked),
    fleet: fleetFrom(state, Number(config.registeredAt)),
    counts: countsIn(sumOf(counters.map(countersFrom)), generation),
    purgedCounters: [...new Set(counters.flatMap(Object.keys).filter(isPurged))],
    reconciliation: state?.audit === undefined ? undefined : reconciliationSchema.parse(state.audit),
    countedEnds: state?.countedEnds === undefined ? undefined : countedEndsSchema.parse(state.countedEnds),
    release: state?.release === undefined ? undefined : releaseSchema.parse(state.release),
    spending: state?.spending === undefined ? undefined : spendingSchema.parse(state.spending),
  };
}

export function createEndpoints(documents: DynamoDBDocumentClient, table: string, clock: Clock): Endpoints {
  // Each read of an endpoint contains its price, so the price rarely needs a read of its own.
  const prices = new Map<string, { readonly price: WorkerPrice | undefined; readonly readAt: number }>();

  async function readNow(id: string): Promise<Endpoint | undefined> {
    // A path can contain any string, and a key that exceeds DynamoDB's maximum would cause an error.
    if (!isEndpointId(id)) return undefined;
    const query = new QueryCommand({
      TableName: table,
      ...queryExpression(compare('endpoint', '=', id)),
      ConsistentRead: true,
    });
    const { Items = [] } = await documents.send(query);
    const endpoint = endpointFrom(Items);
    if (endpoint) prices.set(id, { price: endpoint.workerPrice, readAt: clock.now() });
    return endpoint;
  }

  const readForLong = createCache(clock, KEY_CACHE, readNow);

  const updateState = (id: string, update: Update) =>
    unlessRefused(
      documents.send(
        new UpdateCommand({ TableName: table, Key: { endpoint: id, item: 'state' }, ...updateExpression(update) }),
      ),
    );

  const removeExamples = (id: string) => documents.send(new DeleteCommand({ TableName: table, Key: exampleKey(id) }));

  return {
    read: createCache(clock, ENDPOINT_CACHE, readNow),
    isDeployed: async (id) => (await readForLong(id)) !== undefined,
    async workerPrice(id) {
      const known = prices.get(id);
      if (known && clock.now() - known.readAt < KEY_CACHE) return known.price;
      return (await readNow(id))?.workerPrice;
    },
    readNow,

    async examples(id) {
      if (!isEndpointId(id)) return [];
      const { endpoint } = exampleKey(id);
      const query = new QueryCommand({ TableName: table, ...queryExpression(compare('endpoint', '=', endpoint)) });
      return examplesIn((await documents.send(query)).Items).examples ?? [];
    },

    async list() {
      const items: Item[] = [];
      for await (const page of paginateScan({ client: documents }, { TableName: table }))
        items.push(...(page.Items ?? []));
      const byId = Map.groupBy(items, ({ endpoint }) => String(endpoint));
      const endpoints = [...byId.values()].map(endpointFrom).filter((endpoint) => endpoint !== undefined);
      return endpoints
        .map((endpoint) => ({ ...endpoint, ...examplesIn(byId.get(exampleKey(endpoint.id).endpoint)) }))
        .sort((a, b) => a.id.localeCompare(b.id));
    },

    async register({ id, ...config }, examples = []) {
      const Item = { endpoint: id, item: 'config', ...config, registeredAt: clock.now() };
      await documents.send(new PutCommand({ TableName: table, Item }));
      if (examples.length === 0) await removeExamples(id);
      else await documents.send(new PutCommand({ TableName: table, Item: { ...exampleKey(id), examples } }));
    },

    async remove(id) {
      await removeExamples(id);
      await documents.send(new DeleteCommand({ TableName: table, Key: { endpoint: id, item: 'config' } }));
    },

    async raiseGeneration(id, from) {
      const purgedAt = clock.now();
      const update = new UpdateCommand({
        TableName: table,
        Key: { endpoint: id, item: 'state' },
        ...updateExpression({
          set: { generation: from + 1, purgedAt },
          condition: from === 0 ? notExists('generation') : compare('generation', '=', from),
        }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        await documents.send(update);
        return true;
      } catch (error) {
        const { item: state, repeated } = refusalIn(error);
        return repeated && state?.generation === from + 1 && state.purgedAt === purgedAt;
      }
    },

    setDesired: (id, from, to) =>
      updateState(id, {
        set: { desiredWorkers: to, desiredSince: clock.now() },
        condition: from === undefined ? notExists('desiredWorkers') : compare('desiredWorkers', '=', from),
      }),

    setScaleIn: async (id, now) => void (await updateState(id, { set: { scaleInAt: now } })),

    setAsked: async (id, asked) => void (await updateState(id, { set: { asked } })),

    saveFleet: (id, { version, ...fleet }) =>
      updateState(id, {
        set: { fleet: { version: version + 1, ...fleet } },
        condition: version === 0 ? notExists('fleet') : compare(path('fleet', 'version'), '=', version),
      }),

    saveReconciliation: ({ id, reconciliation: before }, reconciliation) =>
      updateState(id, {
        set: { audit: reconciliation },
        condition: before ? compare(path('audit', 'auditedAt'), '=', before.auditedAt) : notExists('audit'),
      }),

    saveCountedEnds: ({ id, countedEnds: before }, counted) =>
      updateState(id, {
        set: { countedEnds: counted },
        condition: before
          ? and(
              compare(path('countedEnds', 'ended'), '=', before.ended),
              compare(path('countedEnds', 'failed'), '=', before.failed),
            )
          : notExists('countedEnds'),
      }),

    setRelease: (id, from, to) =>
      updateState(id, {
        set: { release: { ...to, edition: (from?.edition ?? 0) + 1 } },
        condition: from ? compare(path('release', 'edition'), '=', from.edition) : notExists('release'),
      }),

    saveSpending: async (id, spending) => void (await updateState(id, { set: { spending } })),

    async forgetService(id) {
      await updateState(id, {
        set: { hintsLostAt: clock.now() },
        remove: ['release', 'desiredWorkers', 'desiredSince', 'hintsClaimedAt'],
      });
    },

    beginResend: (id, lostAt, now) =>
      updateState(id, {
        set: { hintsClaimedAt: now },
        condition: and(compare('hintsLostAt', '=', lostAt), not(compare('hintsClaimedAt', '>', now - RESEND_TIMEOUT))),
      }),

    async finishResend(id, lostAt) {
      await updateState(id, {
        remove: ['hintsLostAt', 'hintsClaimedAt'],
        condition: compare('hintsLostAt', '=', lostAt),
      });
    },
  };
}
