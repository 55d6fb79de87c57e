import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { createEndpoints } from '../../aws/endpoints/endpoints.ts';
import { MovedClock } from '../support/emulated-deployment.ts';

/** A client that refuses every key, as DynamoDB refuses keys of more than 2,048 bytes. */
const refusing = {
  send: async () => Promise.reject(new Error('ValidationException')),
} as unknown as DynamoDBDocumentClient;

describe('an endpoint', () => {
  it.each(['x'.repeat(3_000), 'x'.repeat(64), '', 'ECHO', 'a/b', 'a#b', '*', 'claim:x', '-a', 'a-', 'é'])(
    'is not read by an invalid id: %s',
    async (id) => {
      const endpoints = createEndpoints(refusing, 'endpoints', new MovedClock());
      expect(await endpoints.readNow(id)).toBeUndefined();
      expect(await endpoints.read(id)).toBeUndefined();
      expect(await endpoints.isDeployed(id)).toBe(false);
    },
  );
});
