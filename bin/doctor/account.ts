/** The things that are asked of AWS, each answered within a bound. */
import { GetRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
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

/** Why AWS said nothing, as a sentence. It holds no part of a request. */
export class Unanswered extends Error {}

const REFUSED = /^(AccessDenied|UnauthorizedOperation|NotAuthorized)/;
const INVALID = /^(ExpiredToken|InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch|InvalidSignature)/;

/** @param what is asked, such as `sts:GetCallerIdentity` */
function unanswered(what: string, error: unknown): Unanswered {
  if (error instanceof Unanswered) return error;
  const { name = '', message = '' } = error as Error;
  if (REFUSED.test(name)) return new Unanswered(`The credentials may not call ${what}.`);
  if (INVALID.test(name)) return new Unanswered(`AWS does not accept the credentials (${name}).`);
  if (/CredentialsProvider|TokenProvider/.test(name) || /credentials/i.test(message))
    return new Unanswered('There are no AWS credentials.');
  return new Unanswered(`${what} failed: ${name || 'no answer'}.`);
}

/**
 * Runs a call with a time limit, which includes the search for credentials: that can call an address that never
 * answers.
 */
export async function bounded<Answer>(what: string, milliseconds: number, ask: () => Promise<Answer>): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const sentence = `${what} did not answer within ${milliseconds / 1_000} s.`;
  const timer = setTimeout(() => late.reject(new Unanswered(sentence)), milliseconds);
  try {
    return await Promise.race([ask(), late.promise]);
  } catch (error) {
    throw unanswered(what, error);
  } finally {
    clearTimeout(timer);
  }
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
