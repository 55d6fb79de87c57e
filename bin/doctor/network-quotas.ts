/** Compares the VPCs and the Elastic IP addresses that a deployment adds with those that the account may still create. */
import type { App } from '../assembly/app.ts';
import type { Account } from './account.ts';
import type { Finding } from './finding.ts';
import { addressOf, raiseTo } from './quota-checks.ts';
import type { Quota } from './quotas.ts';
import { warnIfUnchecked } from './target.ts';

export interface AddedNeed {
  readonly quota: Quota;
  /** Number of resources in stacks that are not deployed yet, by the id of the stack. */
  readonly perStack: ReadonlyMap<string, number>;
  /** Another solution than a larger quota. */
  readonly instead: string;
  used(account: Account, owner: string): Promise<number>;
}

/** The quotas that a new network uses, by the type of the resource. */
const kinds = {
  'AWS::EC2::VPC': {
    quota: { name: 'VPCs per Region', service: 'vpc', code: 'L-F678F1CE', unit: 'VPCs' },
    instead: 'or use an existing VPC with the setting `network.vpcId`',
    used: (account: Account, owner: string) => account.vpcs(owner),
  },
  'AWS::EC2::EIP': {
    quota: { name: 'EC2-VPC Elastic IPs', service: 'ec2', code: 'L-0263D0A3', unit: 'addresses' },
    instead: 'or release one that is not in use: aws ec2 describe-addresses --query "Addresses[?!AssociationId]"',
    used: (account: Account) => account.addresses(),
  },
} as const satisfies Readonly<Record<string, Omit<AddedNeed, 'perStack'>>>;

/** Returns a need for each quota of which the stacks use something. */
export function networkNeeds({ resources }: App): AddedNeed[] {
  return Object.entries(kinds).flatMap(([wanted, kind]) => {
    const stacks = Map.groupBy(
      resources.filter(({ type }) => type === wanted),
      ({ stack }) => stack,
    );
    const perStack = new Map([...stacks].map(([stack, its]) => [stack, its.length] as const));
    return perStack.size === 0 ? [] : [{ ...kind, perStack }];
  });
}

export interface Place {
  readonly region: string;
  /** Account of the credentials. */
  readonly owner: string;
  /** Ids of the stacks that are deployed, whose resources exist. */
  readonly present: Promise<ReadonlySet<string>>;
}

export function checkAdded(account: Account, need: AddedNeed, { region, owner, present }: Place): Promise<Finding> {
  const { quota, perStack, instead } = need;
  const { name, unit } = quota;
  const check = `Quota: ${name}`;
  return warnIfUnchecked(check, async () => {
    const deployed = await present;
    const adding = [...perStack].filter(([stack]) => !deployed.has(stack));
    if (adding.length === 0) return { check, level: 'ok', found: `The deployment exists and adds no ${unit}.` };
    const added = adding.reduce((sum, [, count]) => sum + count, 0);
    const [limit, used] = await Promise.all([account.quota(quota.service, quota.code), need.used(account, owner)]);
    if (limit === undefined)
      return {
        check,
        level: 'warning',
        found: `This quota does not exist in ${region}.`,
        fix: addressOf(region, quota),
      };
    const found = `${limit} ${unit}, of which ${used} are used. The deployment adds ${added}.`;
    if (used + added <= limit) return { check, level: 'ok', found };
    return {
      check,
      level: 'problem',
      found,
      needed: `At least ${used + added} ${unit}; without them, the stack ${adding.map(([stack]) => stack).join(', ')} fails.`,
      fix: `${raiseTo(region, quota, used + added)}; ${instead}`,
    };
  });
}
