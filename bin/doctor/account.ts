/** The things that are asked of AWS, each answered within a bound. */
import { GetRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { bounded } from './bounded.ts';
import { type DeployedStack, deployedStacks } from './deployed.ts';

export interface Caller {
  readonly account: string;
  readonly arn: string;
}

/** Every call throws `Unanswered` if there is no answer. */
export interface Account {
  caller(): Promise<Caller>;
  /** @returns the text of a parameter of Systems Manager, or undefined if there is none */
  parameter(name: string): Promise<string | undefined>;
  /**
   * @returns the quota of the account in the region, or AWS's default, or undefined if AWS knows no such quota there
   */
  quota(service: string, code: string): Promise<number | undefined>;
  /** @returns the stacks that CloudFormation has in the region, also those of other projects */
  stacks(): Promise<readonly Pick<DeployedStack, 'name' | 'description'>[]>;
  /** @returns whether the account has a role of that name */
  hasRole(name: string): Promise<boolean>;
}

/** Returns the answer, or undefined if AWS reports that the item does not exist. */
async function orUndefined<Answer>(missing: string, ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if ((error as Error).name === missing) return undefined;
    throw error;
  }
}

/**
 * Creates the account of the credentials of the environment, as the CDK command finds them.
 * @param limit for one call, in milliseconds
 */
export function createAccount(region: string, limit: number): Account {
  const settings = {
    region,
    maxAttempts: 2,
    requestHandler: { connectionTimeout: limit / 2, requestTimeout: limit },
  };
  const identities = new STSClient(settings);
  const parameters = new SSMClient(settings);
  const quotas = new ServiceQuotasClient(settings);
  const roles = new IAMClient(settings);
  return {
    caller: () =>
      bounded('sts:GetCallerIdentity', limit, async () => {
        const { Account = '', Arn = '' } = await identities.send(new GetCallerIdentityCommand({}));
        return { account: Account, arn: Arn };
      }),
    parameter: (Name) =>
      bounded('ssm:GetParameter', limit, () =>
        orUndefined('ParameterNotFound', async () => {
          const { Parameter } = await parameters.send(new GetParameterCommand({ Name }));
          return Parameter?.Value;
        }),
      ),
    quota: (ServiceCode, QuotaCode) =>
      bounded('servicequotas:GetServiceQuota', limit, async () => {
        const input = { ServiceCode, QuotaCode };
        const applied = await orUndefined('NoSuchResourceException', () =>
          quotas.send(new GetServiceQuotaCommand(input)),
        );
        // An account has no value of its own for some quotas that were never changed.
        const { Quota } =
          applied ??
          (await orUndefined('NoSuchResourceException', () =>
            quotas.send(new GetAWSDefaultServiceQuotaCommand(input)),
          )) ??
          {};
        return Quota?.Value;
      }),
    stacks: () => deployedStacks(region, 2 * limit),
    hasRole: (RoleName) =>
      bounded('iam:GetRole', limit, async () => {
        const found = await orUndefined('NoSuchEntityException', () => roles.send(new GetRoleCommand({ RoleName })));
        return found !== undefined;
      }),
  };
}
