/** The quotas of the AWS account in this region. */
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { requestHandler } from './request-handler.ts';

export interface Account {
  /** How many executions all functions of the account may have at the same time. */
  concurrentExecutions(): Promise<number>;
}

export function createAccount(): Account {
  const lambda = new LambdaClient({ requestHandler: requestHandler('services') });
  return {
    async concurrentExecutions() {
      const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
      if (AccountLimit?.ConcurrentExecutions === undefined)
        throw new Error('Lambda does not say how many concurrent executions the account has.');
      return AccountLimit.ConcurrentExecutions;
    },
  };
}
