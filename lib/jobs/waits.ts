import { CustomResource } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct, type IConstruct } from 'constructs';
import { waitsLimits } from '../../core/limits.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { ServiceFunction, serviceTimeoutOf } from '../constructs/function.ts';
import type { Grantee } from '../constructs/grantee.ts';
import { explain } from '../constructs/reasons.ts';
import { rangeOf, type Setting } from '../settings/field-text.ts';
import { InvalidSetting } from '../settings/settings.ts';

const WAITS = 'waits';
const READ_QUOTA = 'readQuota';
const MAX_READ_QUOTA_LENGTH = 100;

/**
 * Returns how many calls may wait at the same time in the whole deployment: the context `waits`, or undefined if it
 * is not set.
 * @throws InvalidSetting
 */
export function waitsOf(scope: IConstruct): number | undefined {
  const { min, max } = waitsLimits;
  const value: unknown = scope.node.tryGetContext(WAITS);
  if (value === undefined) return undefined;
  // Values from the command line are strings.
  const waits = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof waits === 'number' && Number.isInteger(waits) && waits >= min && waits <= max) return waits;
  throw new InvalidSetting(
    `The context \`${WAITS}\` is ${JSON.stringify(value)}; it must be a whole number from ${min} to ${max}.`,
  );
}

/**
 * Returns the context `readQuota`, such as the date on which the quota was raised. CloudFormation runs a custom
 * resource when a property changes, so a deployment with a new value reads the quota again.
 * @throws InvalidSetting
 */
export function readQuotaOf(scope: IConstruct): string | undefined {
  const value: unknown = scope.node.tryGetContext(READ_QUOTA);
  if (value === undefined || value === '') return undefined;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && text.length <= MAX_READ_QUOTA_LENGTH) return text;
  throw new InvalidSetting(
    `The context \`${READ_QUOTA}\` is ${JSON.stringify(value)}; it must be a string of at most ${MAX_READ_QUOTA_LENGTH} characters, such as a date.`,
  );
}

export const waitsSetting: Setting = {
  read: waitsOf,
  text: {
    description: 'Maximum number of calls that wait at the same time in the whole deployment.',
    type: 'whole number',
    without:
      'the capacity of the ingress; without the ingress, half of the concurrent executions of Lambda in the account',
    allowed: rangeOf(waitsLimits),
    guide: 'waits',
  },
};

export const readQuotaSetting: Setting = {
  read: readQuotaOf,
  text: {
    description: 'A changed value makes the next deployment read the Lambda quota of the account again.',
    type: 'string',
    without: 'the first deployment reads the quota',
    allowed: `a string of at most ${MAX_READ_QUOTA_LENGTH} characters, such as a date`,
    condition: 'Has an effect only with `ingress: off` and without `waits`.',
    guide: 'waits',
  },
};

/**
 * The number of slots for calls that wait: the context `waits`. If it is not set, the number is the capacity of the
 * ingress. Without an ingress, the deployment uses half of the account's quota of concurrent executions, which is
 * unknown at synthesis.
 */
export class Waits extends Construct {
  readonly #slots: string;

  /** @param room calls that can wait in the ingress, if there is one */
  constructor(scope: Construct, id: string, room: number | undefined) {
    super(scope, id);
    const waits = waitsOf(this) ?? room;
    this.#slots = waits === undefined ? this.#read() : String(waits);
  }

  #read(): string {
    const read = new ServiceFunction(this, 'Read', {
      entry: 'lambda/account/wait-slots.ts',
      description:
        "Custom resource: limits the number of waiting calls to half of the account's concurrent executions.",
    });
    read.addToRolePolicy(new PolicyStatement({ actions: ['lambda:GetAccountSettings'], resources: ['*'] }));
    acknowledge(read.identity, { 'IAM5[Resource::*]': 'lambda:GetAccountSettings has no narrower resource.' });
    const reason =
      "Reads the account's quota of concurrent executions, half of which can wait. IAM has no narrower resource.";
    explain(read, 'lambda', ['GetAccountSettings'], 'no resource', reason);
    const readQuota = readQuotaOf(this);
    const slots = new CustomResource(this, 'Slots', {
      resourceType: 'Custom::WaitSlots',
      serviceToken: read.functionArn,
      serviceTimeout: serviceTimeoutOf(read),
      ...(readQuota !== undefined && { properties: { readQuota } }),
    });
    return slots.getAttString('slots');
  }

  /** Sets the number of slots in the environment of a function or the ingress. */
  setIn(waiting: Grantee): void {
    waiting.addEnvironment('WAITS', this.#slots);
  }
}
