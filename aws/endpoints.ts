/** The endpoints table: per endpoint one item `config`, written by its stack, and one item `state`, written by us. */
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateScan,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../core/clock.ts';
import { type Endpoint, endpointConfigSchema } from '../core/endpoints/endpoint.ts';
import { ENDPOINT_CACHE } from '../core/limits.ts';
import type { Endpoints } from '../core/world.ts';
import { createCache } from './cache.ts';

type Item = Record<string, unknown>;

/** Without a `config` there is no endpoint, whatever else is left of it. */
function endpointFrom(items: readonly Item[]): Endpoint | undefined {
  const config = items.find(({ item }) => item === 'config');
  const state = items.find(({ item }) => item === 'state');
  if (!config) return undefined;
  return {
    ...endpointConfigSchema.parse({ ...config, id: config.endpoint }),
    generation: Number(state?.generation ?? 0),
    purgedAt: Number(state?.purgedAt ?? 0),
  };
}

export function createEndpoints(documents: DynamoDBDocumentClient, table: string, clock: Clock): Endpoints {
  const read = createCache(clock, ENDPOINT_CACHE, async (id: string) => {
    const query = new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'endpoint = :id',
      ExpressionAttributeValues: { ':id': id },
      ConsistentRead: true,
    });
    const { Items = [] } = await documents.send(query);
    return endpointFrom(Items);
  });

  return {
    read,

    async list() {
      const items: Item[] = [];
      for await (const page of paginateScan({ client: documents }, { TableName: table }))
        items.push(...(page.Items ?? []));
      const byId = Map.groupBy(items, ({ endpoint }) => String(endpoint));
      const endpoints = [...byId.values()].map(endpointFrom).filter((endpoint) => endpoint !== undefined);
      return endpoints.sort((a, b) => a.id.localeCompare(b.id));
    },

    async register({ id, ...config }) {
      await documents.send(new PutCommand({ TableName: table, Item: { endpoint: id, item: 'config', ...config } }));
    },

    async remove(id) {
      await documents.send(new DeleteCommand({ TableName: table, Key: { endpoint: id, item: 'config' } }));
    },
  };
}
