import { CustomResource } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct, type IConstruct } from 'constructs';
import { waitsLimits } from '../../core/limits.ts';
import { acknowledge } from '../constructs/checks.ts';
import type { Client } from '../constructs/client.ts';
import { ServiceFunction, serviceTimeoutOf } from '../constructs/function.ts';
import { explain } from '../constructs/reasons.ts';
import { InvalidSetting } from '../settings/settings.ts';

const WAITS = 'waits';
const READ_QUOTA = 'readQuota';
const LONGEST_READ_QUOTA = 100;

/**
 * Returns how many calls may wait at the same time in the whole deployment: the context `waits`, or undefined without
 * it.
 * @throws InvalidSetting
 */
export function waitsOf(scope: IConstruct): number | undefined {
  const { min, max } = waitsLimits;
  const value: unknown = scope.node.tryGetContext(WAITS);
  if (value === undefined) return undefined;
  // The command line passes text.
  const waits = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof waits === 'number' && Number.isInteger(waits) && waits >= min && waits <= max) return waits;
  throw new InvalidSetting(
    `The context \`${WAITS}\` is ${JSON.stringify(value)}; it must be a whole number from ${min} to ${max}.`,
  );
}

/**
 * Returns the context `readQuota`, such as the date on which the quota was raised. CloudFormation runs a custom
 * resource when a property changes, so a deployment with another text reads the quota again.
 * @throws InvalidSetting
 */
export function readQuotaOf(scope: IConstruct): string | undefined {
  const value: unknown = scope.node.tryGetContext(READ_QUOTA);
  if (value === undefined || value === '') return undefined;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && text.length <= LONGEST_READ_QUOTA) return text;
  throw new InvalidSetting(
    `The context \`${READ_QUOTA}\` is ${JSON.stringify(value)}; it must be a text of at most ${LONGEST_READ_QUOTA} characters, such as a date.`,
  );
}

/**
 * The number of slots for calls that wait: the context `waits`. Without it, as many as the ingress has room for. If
 * there is no ingress, a deployment reads the account's quota of concurrent executions, which synthesis cannot know,
 * and takes half of it.
 */
export class Waits extends Construct {
  readonly #slots: string;

  /** @param room calls that may wait in the ingress, if there is one */
  constructor(scope: Construct, id: string, room: number | undefined) {
    super(scope, id);
    const waits = waitsOf(this) ?? room;
    this.#slots = waits === undefined ? this.#read() : String(waits);
  }

  #read(): string {
    const read = new ServiceFunction(this, 'Read', {
      entry: 'lambda/account/wait-slots.ts',
      description: 'Custom resource: half of the concurrent executions of the account, for calls that wait.',
    });
    read.addToRolePolicy(new PolicyStatement({ actions: ['lambda:GetAccountSettings'], resources: ['*'] }));
    acknowledge(read.identity, { 'IAM5[Resource::*]': 'lambda:GetAccountSettings has no narrower resource.' });
    const why =
      "Reads the account's quota of concurrent executions, half of which may wait; IAM knows no narrower resource.";
    explain(read, 'lambda', ['GetAccountSettings'], 'no resource', why);
    const readQuota = readQuotaOf(this);
    const slots = new CustomResource(this, 'Slots', {
      resourceType: 'Custom::WaitSlots',
      serviceToken: read.functionArn,
      serviceTimeout: serviceTimeoutOf(read),
      ...(readQuota !== undefined && { properties: { readQuota } }),
    });
    return slots.getAttString('slots');
  }

  /** Sets the number in the environment of a function or the ingress. */
  setIn(waiting: Client): void {
    waiting.addEnvironment('WAITS', this.#slots);
  }
}
