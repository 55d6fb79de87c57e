/** Rules that calculate the cost of resources that are not free, by type. */
import { isValues } from '../assembly/app.ts';
import { type Charge, charge, HOURS_PER_MONTH, type Question, type Rule, type Use } from './charge.ts';
import { ALARMS_OF_TRACKING, capacityProvider, warmPool } from './pools.ts';
import { instances, service } from './workers.ts';

const byUse =
  (...uses: Use[]): Rule =>
  () => ({ byUse: uses });

const minutesOf = { minute: 1, hour: 60, day: 24 * 60 } as const;
const MINUTES_PER_MONTH = HOURS_PER_MONTH * 60;
/** Memory of a function that sets none, in MB. */
const DEFAULT_MEMORY = 128;

function memoryOfTarget({ resource, app }: Question): number {
  const { Targets } = resource.properties;
  const [target]: unknown[] = Array.isArray(Targets) ? Targets : [];
  const called = isValues(target) ? app.follow(resource, target.Arn) : undefined;
  return Number(called?.properties.MemorySize ?? DEFAULT_MEMORY);
}

/**
 * Charges for a schedule: it calls its function even when nothing runs. EventBridge itself does not charge for
 * it.
 */
const eventRule: Rule = (question) => {
  const { resource, prices } = question;
  const { perMillion, assumedMs } = prices;
  const { ScheduleExpression } = resource.properties;
  if (ScheduleExpression === undefined) return {};
  const [, every, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(String(ScheduleExpression)) ?? [];
  if (!every) return { unpriced: `the rate of ${String(ScheduleExpression)} is not known here` };
  const calls = MINUTES_PER_MONTH / (Number(every) * minutesOf[unit as keyof typeof minutesOf]);
  const gbSeconds = calls * (assumedMs.scheduled / 1_000) * (memoryOfTarget(question) / 1_024);
  return {
    charges: [
      charge('scheduled calls of a function', calls, 'million', perMillion.lambdaRequest.price),
      charge('GB-seconds of these calls, assumed', gbSeconds, 'million', perMillion.lambdaGbSecond.price),
    ],
  };
};

/**
 * Charges for polls. Lambda polls a queue with five pollers, without pauses, 20 s each. Polls of a stream are
 * free.
 */
const POLLS_PER_MONTH = (5 * HOURS_PER_MONTH * 3_600) / 20;
const eventSource: Rule = ({ resource, prices }) => {
  if (resource.properties.StartingPosition !== undefined) return {};
  const price = prices.perMillion.sqsRequest.price;
  return { charges: [charge('polls of a queue for a function', POLLS_PER_MONTH, 'million', price)] };
};

const table: Rule = ({ resource }) =>
  resource.properties.BillingMode === 'PAY_PER_REQUEST'
    ? { byUse: ['tableMonth', 'tableBackupMonth', 'writeUnit', 'readUnit'] }
    : { unpriced: 'provisioned capacity is not priced here' };

const endpoint: Rule = ({ resource, prices }) => {
  const { VpcEndpointType = 'Gateway', SubnetIds } = resource.properties;
  if (VpcEndpointType === 'Gateway') return {};
  if (VpcEndpointType !== 'Interface' || !Array.isArray(SubnetIds))
    return { unpriced: 'only gateway endpoints and interface endpoints with subnets are priced here' };
  const { interfaceEndpoint } = prices.perHour;
  return { charges: [charge('interface endpoint, per zone', SubnetIds.length, 'hour', interfaceEndpoint.price)] };
};

const FAST = 60;
function alarmCharge({ resource, prices: { perMonth } }: Question): Charge {
  const { Period, Metrics } = resource.properties;
  // Each metric in the formula of an alarm is charged separately.
  const metrics = Array.isArray(Metrics) ? Metrics.filter((metric) => metric.MetricStat !== undefined) : [];
  const row = typeof Period === 'number' && Period < FAST ? perMonth.fastAlarm : perMonth.alarm;
  return charge('alarm', Math.max(1, metrics.length), 'month', row.price);
}

const scalingPolicy: Rule = ({ resource, prices: { perMonth } }) => {
  const { TargetTrackingScalingPolicyConfiguration: tracking } = resource.properties;
  if (!isValues(tracking)) return { unpriced: 'only target tracking policies are priced here' };
  const alarms = charge('scaling alarm', ALARMS_OF_TRACKING, 'month', perMonth.alarm.price);
  // Metrics of AWS itself are free.
  if (!isValues(tracking.CustomizedMetricSpecification)) return { charges: [alarms] };
  return { charges: [charge('custom metric', 1, 'month', perMonth.metric.price), alarms] };
};

const webAcl: Rule = ({ resource, prices: { perMonth } }) => {
  const { Rules } = resource.properties;
  const rules = Array.isArray(Rules) ? Rules.length : 0;
  const acl = charge('web ACL', 1, 'month', perMonth.webAcl.price);
  return { charges: [acl, charge('rule of a web ACL', rules, 'month', perMonth.webAclRule.price)] };
};

/**
 * Only this configuration is priced. Other throughput modes are charged even when nothing is transferred, and
 * other classes have other prices.
 */
const fileSystem: Rule = ({ resource }) =>
  resource.properties.ThroughputMode === 'elastic' && resource.properties.AvailabilityZoneName === undefined
    ? { byUse: ['fileMonth', 'fileRead', 'fileWritten', 'coldFileMonth', 'coldFileRead', 'coldFileMoved'] }
    : { unpriced: 'only regional file systems with elastic throughput are priced here' };
/** Only Express state machines are priced. Standard ones are charged per step, 25 times as much. */
const stateMachine: Rule = ({ resource }) =>
  resource.properties.StateMachineType === 'EXPRESS'
    ? { byUse: ['expressRequest', 'expressGbSecond'] }
    : { unpriced: 'only Express state machines are priced here' };

const cluster: Rule = ({ resource }) => {
  const insights = JSON.stringify(resource.properties.ClusterSettings ?? []);
  return /"enabled"|"enhanced"/.test(insights) ? { unpriced: 'Container Insights is not priced here' } : {};
};

const stage: Rule = ({ resource }) =>
  resource.properties.CacheClusterEnabled === true ? { unpriced: 'the cache of a stage is not priced here' } : {};

export const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['AWS::ApiGateway::RestApi', byUse('apiGatewayRequest')],
  ['AWS::ApiGateway::Stage', stage],
  ['AWS::ApplicationAutoScaling::ScalingPolicy', scalingPolicy],
  ['AWS::AutoScaling::AutoScalingGroup', instances],
  ['AWS::AutoScaling::WarmPool', warmPool],
  ['AWS::CloudFront::Distribution', byUse('distributionRequest', 'distributedOut', 'distributedToOrigin')],
  ['AWS::CloudFront::Function', byUse('distributionFunction')],
  ['AWS::CloudWatch::Alarm', (question) => ({ charges: [alarmCharge(question)] })],
  [
    'AWS::CloudWatch::Dashboard',
    ({ prices }) => ({ charges: [charge('dashboard', 1, 'month', prices.perMonth.dashboard.price)] }),
  ],
  ['AWS::DynamoDB::Table', table],
  [
    'AWS::EC2::EIP',
    ({ prices }) => ({ charges: [charge('public address', 1, 'hour', prices.perHour.publicAddress.price)] }),
  ],
  [
    'AWS::EC2::NatGateway',
    ({ prices }) => ({
      charges: [charge('NAT gateway', 1, 'hour', prices.perHour.natGateway.price)],
      byUse: ['natProcessed'],
    }),
  ],
  ['AWS::EC2::VPCEndpoint', endpoint],
  ['AWS::ECR::Repository', byUse('imageMonth')],
  ['AWS::ECS::CapacityProvider', capacityProvider],
  ['AWS::ECS::Cluster', cluster],
  ['AWS::ECS::Service', service],
  [
    'AWS::ElasticLoadBalancingV2::LoadBalancer',
    ({ prices }) => ({
      charges: [charge('load balancer', 1, 'hour', prices.perHour.loadBalancer.price)],
      byUse: ['balancerUnit'],
    }),
  ],
  ['AWS::EFS::FileSystem', fileSystem],
  ['AWS::Events::Rule', eventRule],
  [
    'AWS::KMS::Key',
    ({ prices }) => ({
      charges: [charge('KMS key', 1, 'month', prices.perMonth.kmsKey.price)],
      byUse: ['kmsRequest'],
    }),
  ],
  ['AWS::Lambda::EventSourceMapping', eventSource],
  ['AWS::Lambda::Function', byUse('lambdaRequest', 'lambdaGbSecond')],
  ['AWS::Logs::LogGroup', byUse('logIngested', 'logMonth')],
  ['AWS::Pipes::Pipe', byUse('pipeRequest')],
  ['AWS::S3::Bucket', byUse('objectMonth', 's3Put', 's3Get')],
  ['AWS::SQS::Queue', byUse('sqsRequest')],
  [
    'AWS::SecretsManager::Secret',
    ({ prices }) => ({ charges: [charge('secret', 1, 'month', prices.perMonth.secret.price)] }),
  ],
  ['AWS::StepFunctions::StateMachine', stateMachine],
  ['AWS::WAFv2::WebACL', webAcl],
]);
