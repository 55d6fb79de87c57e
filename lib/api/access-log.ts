/** Access logs of the interfaces: off, unless the context `accessLogDays` sets their retention in days. */
import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogFormat, LogGroupLogDestination, type StageOptions } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct, IConstruct } from 'constructs';
import type { Setting } from '../settings/field-text.ts';
import { InvalidSetting } from '../settings/settings.ts';

const SETTING = 'accessLogDays';

/** The retention times that CloudWatch Logs offers, without the value for unlimited retention. */
const offered = Object.values(RetentionDays)
  .filter((days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE)
  .sort((one, other) => one - other);

/**
 * Returns the retention of access logs in days, or undefined if there are no access logs.
 * @throws InvalidSetting
 */
export function accessLogDaysOf(scope: IConstruct): RetentionDays | undefined {
  const value: unknown = scope.node.tryGetContext(SETTING);
  if (value === undefined || value === '') return undefined;
  // Values from the command line are strings.
  const days = offered.find((each) => value === each || value === String(each));
  if (days !== undefined) return days;
  throw new InvalidSetting(
    `The context \`${SETTING}\` must be one of ${offered.join(', ')}, got ${JSON.stringify(value)}.`,
  );
}

export const accessLogDaysSetting: Setting = {
  read: accessLogDaysOf,
  text: {
    description: 'Retention of the access logs of API Gateway for both interfaces, in days.',
    type: 'whole number',
    without: 'no access logs',
    allowed: `one of ${offered.join(', ')}`,
    condition: 'The account must have the logging role of API Gateway.',
    guide: 'floods',
  },
};

/**
 * One line of JSON for each request that API Gateway receives. It has no body, header, query or secret, and no path,
 * because paths contain ids of jobs.
 */
const line = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  /** Prefix of the key's hash, as `npx gpu-endpoints keys ls` shows it. For a user, the id in the user pool. */
  keyId: '$context.authorizer.keyId',
  address: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  bytes: '$context.responseLength',
  milliseconds: '$context.responseLatency',
} as const;

/** Returns the options with which a stage writes its access log, or undefined without the setting. */
export function accessLogOf(
  scope: Construct,
): Pick<StageOptions, 'accessLogDestination' | 'accessLogFormat'> | undefined {
  const retention = accessLogDaysOf(scope);
  if (retention === undefined) return undefined;
  const group = new LogGroup(scope, 'AccessLog', { retention, removalPolicy: RemovalPolicy.DESTROY });
  return {
    accessLogDestination: new LogGroupLogDestination(group),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(line)),
  };
}
