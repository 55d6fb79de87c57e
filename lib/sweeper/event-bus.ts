/** The setting `eventBus`: the bus of EventBridge that gets the events of endpoints. */
import { Stack } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import type { ServiceFunction } from '../constructs/function.ts';
import { explain } from '../constructs/reasons.ts';
import { allowedBy, type Setting } from '../settings/field-text.ts';
import { InvalidSetting } from '../settings/settings.ts';

const SETTING = 'eventBus';
const DEFAULT = 'default';
const busMust =
  'must be `default`, or the ARN of an event bus, such as arn:aws:events:eu-west-1:123456789012:event-bus/gpu';
const BUS = /^arn:aws(?:-[a-z]+)*:events:[a-z0-9-]+:\d{12}:event-bus\/[\w./-]{1,256}$/;

/**
 * Returns `default` or the ARN of a bus, or undefined without the setting.
 * @throws InvalidSetting
 */
export function eventBusOf(scope: IConstruct): string | undefined {
  const value: unknown = scope.node.tryGetContext(SETTING);
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && (value === DEFAULT || BUS.test(value))) return value;
  throw new InvalidSetting(`The context \`${SETTING}\` ${busMust}, got ${JSON.stringify(value)}.`);
}

export const eventBusSetting: Setting = {
  read: eventBusOf,
  text: {
    description:
      'Bus of EventBridge that gets the events of endpoints, which cost $1.00 per million: conditions, releases, failed workers and budgets.',
    type: 'string',
    without: 'no events are sent',
    allowed: allowedBy(busMust),
    guide: 'eventBridge',
  },
};

/**
 * Lets the function send events to the bus of the setting, and sets which one.
 * @returns false without the setting
 */
export function grantSendEvents(sender: ServiceFunction): boolean {
  const bus = eventBusOf(sender);
  if (bus === undefined) return false;
  const stack = Stack.of(sender);
  const ofAccount = stack.formatArn({ service: 'events', resource: 'event-bus', resourceName: DEFAULT });
  const arn = bus === DEFAULT ? ofAccount : bus;
  sender.addEnvironment('EVENT_BUS', arn);
  Grant.addToPrincipal({ grantee: sender, actions: ['events:PutEvents'], resourceArns: [arn] }).assertSuccess();
  explain(sender, 'events', ['PutEvents'], 'the bus of `eventBus`', 'Sends the events of endpoints.');
  return true;
}
