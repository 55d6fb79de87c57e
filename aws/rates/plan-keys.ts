/**
 * Adds and removes keys of usage plans. API Gateway changes them one at a time in an account and Region, and refuses a
 * change while another is in progress, even in another deployment. CloudFormation's own resource fails in that case.
 */
import {
  APIGatewayClient,
  ConflictException,
  CreateUsagePlanKeyCommand,
  DeleteUsagePlanKeyCommand,
  GetUsagePlanKeyCommand,
  NotFoundException,
} from '@aws-sdk/client-api-gateway';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import { SECOND } from '../../core/limits.ts';
import type { PlanKey, PlanKeys } from '../../core/rates/plan-keys.ts';
import { requestHandler } from '../request-handler.ts';

/** Maximum number of attempts of a call. Their pauses add up to 103 s at most, and to half of it on average. */
const MAX_ATTEMPTS = 25;

/** Upper bounds of the first pause and of all pauses, in milliseconds. */
const MAX_FIRST_PAUSE = SECOND / 4;
const MAX_PAUSE = 5 * SECOND;

/** Returns the milliseconds to wait after failed attempts: a random part of a limit that doubles with each of them. */
const pauseAfter = (failedAttempts: number): number =>
  Math.random() * Math.min(MAX_PAUSE, MAX_FIRST_PAUSE * 2 ** (failedAttempts - 1));

type Refresh = ConfiguredRetryStrategy['refreshRetryTokenForRetry'];

/** The retry strategy of the SDK, which also repeats calls that conflict with a change in progress. */
class ConflictRetries extends ConfiguredRetryStrategy {
  override refreshRetryTokenForRetry(...[token, failure]: Parameters<Refresh>): ReturnType<Refresh> {
    const isConflict = failure.error instanceof ConflictException;
    return super.refreshRetryTokenForRetry(token, isConflict ? { ...failure, errorType: 'THROTTLING' } : failure);
  }
}

/**
 * Adds keys to the usage plan of API Gateway and removes them, and retries calls that conflict with others.
 * @param pause returns the milliseconds to wait after this number of failed attempts
 */
export function createPlanKeys(pause: (failedAttempts: number) => number = pauseAfter): PlanKeys {
  const gateway = new APIGatewayClient({
    requestHandler: requestHandler('services'),
    retryStrategy: new ConflictRetries(MAX_ATTEMPTS, pause),
  });

  async function isIn({ keyId, usagePlanId }: PlanKey): Promise<boolean> {
    try {
      await gateway.send(new GetUsagePlanKeyCommand({ keyId, usagePlanId }));
      return true;
    } catch (error) {
      if (error instanceof NotFoundException) return false;
      throw error;
    }
  }

  return {
    async add(planKey) {
      // API Gateway also reports a conflict if the key is already in the plan, and no other attempt resolves that conflict.
      if (await isIn(planKey)) return;
      try {
        await gateway.send(new CreateUsagePlanKeyCommand({ ...planKey, keyType: 'API_KEY' }));
      } catch (error) {
        // An earlier attempt might have added the key although its response was lost.
        if (!(error instanceof ConflictException && (await isIn(planKey)))) throw error;
      }
    },

    async remove(planKey) {
      try {
        await gateway.send(new DeleteUsagePlanKeyCommand(planKey));
      } catch (error) {
        if (!(error instanceof NotFoundException)) throw error;
      }
    },
  };
}
