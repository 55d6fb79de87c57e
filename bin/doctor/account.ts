/** Reads the data that the checks need from the AWS account. Each call has a time limit. */
import { GetPolicyCommand, GetRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { bounded, CallFailed, undefinedIfNotFound } from './bounded.ts';
import { type DeployedStack, deployedStacks } from './deployed.ts';
import { createNamedReads, type NamedReads } from './named-reads.ts';
import { createNetworkReads, type NetworkReads } from './network-reads.ts';

export interface Caller {
  readonly account: string;
  readonly arn: string;
}

/** Each method throws `CallFailed` if the call fails or times out. */
export interface Account extends NetworkReads, NamedReads {
  caller(): Promise<Caller>;
  /** @returns the value of a parameter of Systems Manager, or undefined if there is none */
  parameter(name: string): Promise<string | undefined>;
  /**
   * @returns the quota of the account in the Region, or the default of AWS, or undefined if the Region does not have
   * the quota
   */
  quota(service: string, code: string): Promise<number | undefined>;
  /** @returns all stacks in the Region, including those of other projects */
  stacks(): Promise<readonly Pick<DeployedStack, 'name' | 'description' | 'status'>[]>;
  /** @returns whether the account has a role of that name */
  hasRole(name: string): Promise<boolean>;
  /** @returns whether the account has the managed policy with the ARN */
  hasPolicy(arn: string): Promise<boolean>;
}

/** Returns an account that refuses each call immediately: a real call would fail with the same message. */
export function silent(sentence: string): Account {
  const refuse = () => Promise.reject(new CallFailed(sentence));
  return {
    caller: refuse,
    parameter: refuse,
    quota: refuse,
    hasRole: refuse,
    hasPolicy: refuse,
    stacks: refuse,
    zones: refuse,
    defaultZones: refuse,
    zonesOfSubnets: refuse,
    vpcs: refuse,
    addresses: refuse,
    certificate: refuse,
    subscriptions: refuse,
    secret: refuse,
    loggingRole: refuse,
  };
}

/**
 * Creates the `Account` of the credentials that the CDK command would use.
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
  const access = new IAMClient(settings);
  // Several checks need the stacks, whose list has many pages in some accounts.
  let listed: Promise<readonly DeployedStack[]> | undefined;
  return {
    ...createNetworkReads(settings, limit),
    ...createNamedReads(settings, limit),
    caller: () =>
      bounded('sts:GetCallerIdentity', limit, async () => {
        const { Account = '', Arn = '' } = await identities.send(new GetCallerIdentityCommand({}));
        return { account: Account, arn: Arn };
      }),
    parameter: (Name) =>
      bounded('ssm:GetParameter', limit, () =>
        undefinedIfNotFound('ParameterNotFound', async () => {
          const { Parameter } = await parameters.send(new GetParameterCommand({ Name }));
          return Parameter?.Value;
        }),
      ),
    quota: (ServiceCode, QuotaCode) =>
      bounded('servicequotas:GetServiceQuota', limit, async () => {
        const input = { ServiceCode, QuotaCode };
        const applied = await undefinedIfNotFound('NoSuchResourceException', () =>
          quotas.send(new GetServiceQuotaCommand(input)),
        );
        // Quotas that were never changed for the account may have only a default.
        const { Quota } =
          applied ??
          (await undefinedIfNotFound('NoSuchResourceException', () =>
            quotas.send(new GetAWSDefaultServiceQuotaCommand(input)),
          )) ??
          {};
        return Quota?.Value;
      }),
    stacks() {
      listed ??= deployedStacks(region, 2 * limit);
      return listed;
    },
    hasRole: (RoleName) =>
      bounded('iam:GetRole', limit, async () => {
        const found = await undefinedIfNotFound('NoSuchEntityException', () =>
          access.send(new GetRoleCommand({ RoleName })),
        );
        return found !== undefined;
      }),
    hasPolicy: (PolicyArn) =>
      bounded('iam:GetPolicy', limit, async () => {
        const policy = new GetPolicyCommand({ PolicyArn });
        return (await undefinedIfNotFound('NoSuchEntityException', () => access.send(policy))) !== undefined;
      }),
  };
}
