/** The quotas of the AWS account in this Region. */
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { requestHandler } from './request-handler.ts';

export interface Account {
  /** Maximum number of concurrent executions of all functions in the account. */
  concurrentExecutions(): Promise<number>;
}

export function createAccount(): Account {
  const lambda = new LambdaClient({ requestHandler: requestHandler('services') });
  return {
    async concurrentExecutions() {
      const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
      if (AccountLimit?.ConcurrentExecutions === undefined)
        throw new Error("Lambda did not return the account's limit of concurrent executions.");
      return AccountLimit.ConcurrentExecutions;
    },
  };
}
