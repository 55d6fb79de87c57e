/** The SNS topic that alarms notify: none, unless the app gives one or the context `alarms` names one. */
import { Aspects } from 'aws-cdk-lib';
import { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { IConstruct } from 'constructs';
import { allowedBy, type Setting } from '../settings/field-text.ts';
import { givenTwice, InvalidSetting } from '../settings/settings.ts';

const SETTING = 'alarms';
const topicMust = 'must be the ARN of an SNS topic, such as arn:aws:sns:eu-west-1:123456789012:on-call';
const TOPIC = /^arn:aws(?:-[a-z]+)*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/;

/**
 * Returns the ARN of the SNS topic, or undefined without the setting.
 * @throws InvalidSetting
 */
export function alarmTopicOf(scope: IConstruct): string | undefined {
  const value: unknown = scope.node.tryGetContext(SETTING);
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && TOPIC.test(value)) return value;
  throw new InvalidSetting(`The context \`${SETTING}\` ${topicMust}, got ${JSON.stringify(value)}.`);
}

export const alarmsSetting: Setting = {
  read: alarmTopicOf,
  text: {
    description: 'SNS topic that every alarm notifies when it goes off and when it is over.',
    type: 'string',
    without: 'no topic',
    allowed: allowedBy(topicMust),
    condition: 'With `region`, only a topic of this Region.',
    guide: 'monitor',
  },
};

/**
 * Makes every alarm of the deployment notify the topic when its state changes to ALARM and back to OK.
 * @param given ARN of the app's topic
 * @throws InvalidSetting if the context also names a topic
 */
export function notifyOfAlarms(deployment: IConstruct, given: string | undefined): void {
  const named = alarmTopicOf(deployment);
  if (given !== undefined && named !== undefined) throw givenTwice(SETTING, 'alarms.topic');
  const topic = given ?? named;
  if (topic === undefined) return;
  Aspects.of(deployment).add({
    visit(node) {
      if (node instanceof CfnAlarm) Object.assign(node, { alarmActions: [topic], okActions: [topic] });
    },
  });
}
