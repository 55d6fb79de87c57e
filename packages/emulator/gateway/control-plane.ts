/**
 * The operations of API Gateway's own API that the stacks use: they add keys to usage plans, read and remove them. Any
 * other operation is refused by name.
 *
 * API Gateway changes the keys of plans one at a time in an account and Region. A change that arrives while another
 * one is in progress fails with 409 (https://github.com/serverless/serverless/issues/12065 quotes AWS Support).
 */
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod/mini';
import { account } from '../account.ts';
import { AwsFault } from '../aws-proxy/aws-fault.ts';
import { unknownOperation } from '../aws-proxy/described.ts';
import type { JsonService } from '../aws-proxy/json-service.ts';
import type { ApiDefinitions } from './definitions.ts';

const OPERATION = /^(?<method>POST|GET|DELETE) (?<path>\/usageplans\/(?<planId>[^/?]+)\/keys(?:\/(?<keyId>[^/?]+))?)$/;

const addSchema = z.strictObject({ keyId: z.string(), keyType: z.literal('API_KEY') });

interface Operation {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly path: string;
  readonly planId: string;
  /** Undefined in the operation that adds a key, whose input contains the id. */
  readonly keyId: string | undefined;
}

/** @throws AwsFault for an operation that the stacks do not use */
function operationOf(name: string): Operation {
  const { method, path = '', planId = '', keyId } = OPERATION.exec(name)?.groups ?? {};
  if (method === 'POST' && keyId === undefined) return { method, path, planId, keyId };
  if ((method === 'GET' || method === 'DELETE') && keyId !== undefined) return { method, path, planId, keyId };
  throw unknownOperation('apigateway', name);
}

const notFound = (kind: string) => new AwsFault(404, 'NotFoundException', `Invalid ${kind} identifier specified`);

const conflict = (message: string) => new AwsFault(409, 'ConflictException', message);

export interface ControlPlaneProps {
  readonly apis: ApiDefinitions;
  /**
   * Resolves when a change is complete. Until then, other changes conflict.
   * @default - at the next turn of the event loop
   */
  readonly completed?: () => Promise<void>;
}

export function createControlPlane({ apis, completed = setImmediate }: ControlPlaneProps): JsonService {
  const { planKeys } = apis;
  let isChanging = false;

  async function change(apply: () => void): Promise<void> {
    if (isChanging)
      throw conflict('Unable to complete operation due to concurrent modification. Please try again later.');
    isChanging = true;
    try {
      await completed();
      apply();
    } finally {
      isChanging = false;
    }
  }

  /**
   * Returns the stages of a plan.
   * @throws AwsFault for a plan that does not exist
   */
  function stagesOf(planId: string): string[] {
    const plan = apis.usagePlans.find(({ id }) => id === planId);
    if (!plan) throw notFound('Usage Plan');
    return plan.properties.ApiStages.map(({ ApiId, Stage }) => `${ApiId}:${Stage}`);
  }

  function keyOf(keyId: string): { id: string; type: string; value: string } {
    const key = apis.apiKeys.find(({ id }) => id === keyId);
    if (!key) throw notFound('API Key');
    return { id: keyId, type: 'API_KEY', value: key.properties.Value };
  }

  /**
   * Adds the key.
   * @throws AwsFault if the key is already in this plan, or in another plan of one of its stages
   */
  function add(planId: string, keyId: string): void {
    const stages = stagesOf(planId);
    const others = apis.usagePlans.filter(({ id }) => planKeys.has(id, keyId)).flatMap(({ id }) => stagesOf(id));
    const common = stages.find((stage) => others.includes(stage));
    if (common !== undefined || planKeys.has(planId, keyId))
      throw conflict(
        `Usage Plan ${planId} cannot be added because API Key ${keyId} cannot reference multiple Usage Plans with the same API stage: ${common}`,
      );
    planKeys.add(planId, keyId);
  }

  return {
    async call(name, input) {
      const { method, planId, keyId = '' } = operationOf(name);
      stagesOf(planId);
      if (method === 'POST') {
        const added = addSchema.parse(input).keyId;
        const key = keyOf(added);
        await change(() => add(planId, added));
        return key;
      }
      if (!planKeys.has(planId, keyId)) throw notFound('API Key');
      if (method === 'GET') return keyOf(keyId);
      await change(() => planKeys.remove(planId, keyId));
      return {};
    },

    authorization(name) {
      const { method, path } = operationOf(name);
      return { action: `apigateway:${method}`, resource: `arn:aws:apigateway:${account.region}::${path}` };
    },
  };
}
