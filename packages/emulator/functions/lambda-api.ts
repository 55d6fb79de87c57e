/** The only operation of Lambda that the stacks use. Any other operation is refused by name. */
import { unknownOperation } from '../aws-proxy/described.ts';
import type { JsonService } from '../aws-proxy/json-service.ts';

const GET_ACCOUNT_SETTINGS = 'GET /2016-08-19/account-settings';

/**
 * Creates the API.
 * @param concurrency maximum concurrent executions of all functions
 */
export const createLambdaApi = (concurrency: number): JsonService => ({
  call: async () => ({ AccountLimit: { ConcurrentExecutions: concurrency } }),

  authorization(operation) {
    if (operation !== GET_ACCOUNT_SETTINGS) throw unknownOperation('lambda', operation);
    return { action: 'lambda:GetAccountSettings', resource: '*' };
  },
});
