/**
 * Names roles and resources for the page, as in the account but without hashes, and the same for every endpoint.
 */

const HASH = /[0-9A-F]{8}$/;

/**
 * Returns a name such as `Platform/JobsRun`. Roles of all endpoints have the same name, and so do roles of all
 * pools.
 */
export function roleNamed(role: string): string {
  if (/^Fleet-Pool\w+Role[0-9A-F]{8}$/.test(role)) return 'Fleet/Instance';
  const [, stack = '', name = role] =
    /^(Platform|Management|Endpoint-[a-z0-9-]+)-(.+)Role[0-9A-F]{8}$/.exec(role) ?? [];
  return `${stack.replace(/-.*/, '')}/${name}`;
}

type Naming = readonly [pattern: RegExp, name: (match: readonly string[]) => string];

const namings: readonly Naming[] = [
  [/^arn:aws:dynamodb:.*:table\/Storage-(\w+?)Table[0-9A-F]{8}$/, ([, name = '']) => `${name.toLowerCase()} table`],
  [/^arn:aws:dynamodb:.*:table\/Storage-JobsTable[0-9A-F]{8}\/stream\//, () => 'stream of the jobs table'],
  [/^arn:aws:s3:::storage-objectsbucket[0-9a-f]{8}\/\*$/, () => 'all payload objects'],
  [
    /^arn:aws:s3:::storage-objectsbucket[0-9a-f]{8}\/(\d+)\/[a-z0-9-]+\/\*$/,
    ([, days]) => `its objects of ${days} days`,
  ],
  [/^arn:aws:s3:::platform-consolebucket[0-9a-f]{8}$/, () => 'bucket of the console'],
  [/^arn:aws:s3:::platform-consolebucket[0-9a-f]{8}\/console\/\*$/, () => 'files of the console'],
  [/^arn:aws:s3:::platform-consolebucket[0-9a-f]{8}\/replaced\.json$/, () => 'its list of replaced files'],
  [/^arn:aws:kms:.*:key\/Storage-SecretsKey[0-9A-F]{8}$/, () => 'key of secrets'],
  [/^arn:aws:sqs:.*:Endpoint-[a-z0-9-]+-HintsNormal(?:Even|Odd)[0-9A-F]{8}$/, () => 'queues of normal jobs'],
  [/^arn:aws:sqs:.*:Endpoint-[a-z0-9-]+-HintsLow(?:Even|Odd)[0-9A-F]{8}$/, () => 'queues of low-priority jobs'],
  [/^arn:aws:cloudwatch:.*:alarm:\*$/, () => 'alarms of the account'],
  [/^arn:aws:sqs:.*:Platform-LedgerDeadLetters[0-9A-F]{8}$/, () => "ledger's dead letters"],
  [/^arn:aws:sqs:.*:Platform-WebhooksDeadLetters[0-9A-F]{8}$/, () => "webhooks' dead letters"],
  [/^arn:aws:lambda:.*:function:Platform-WebhooksDeliver[0-9A-F]{8}$/, () => 'function that calls receivers'],
  [/^arn:aws:states:.*:stateMachine:Platform-WebhooksDeliveryMachine[0-9A-F]{8}$/, () => 'state machine of deliveries'],
  [/^arn:aws:lambda:.*:function:Platform-SweeperExpire[0-9A-F]{8}$/, () => 'function that timers call'],
  [/^arn:aws:states:.*:stateMachine:Platform-SweeperExpiryMachine[0-9A-F]{8}$/, () => 'state machine of timers'],
  [/^arn:aws:sqs:.*:Platform-ReleasesRolloutDeadLetters[0-9A-F]{8}$/, () => "rollout's dead letters"],
  [/^arn:aws:dynamodb:.*:table\/Storage-TemplatesTable[0-9A-F]{8}\/stream\//, () => 'stream of the templates table'],
  [/^arn:aws:ecs:.*:service\/gpu-endpoints-Fleet-\*\/\*$/, () => 'services of the cluster'],
  [/^arn:aws:ecs:.*:task\/gpu-endpoints-Fleet-\*\/\*$/, () => 'tasks of the cluster'],
  [/^arn:aws:logs:.*:log-group:gpu-endpoints-Endpoint-\*-WorkersLogs\*$/, () => 'log groups of workers'],
  [/^arn:aws:elasticfilesystem:.*:file-system\/fs-[0-9a-f]+$/, () => 'file system of volumes'],
  [/^arn:aws:iam:.*:role\/gpu-endpoints\/[a-z0-9-]+\/workers\/\*$/, () => 'roles of workers'],
  [/^arn:aws:ecs:.*:cluster\/gpu-endpoints-Fleet-(?:Cluster[0-9A-F]{8}|\*)$/, () => 'the cluster'],
  [
    /^arn:aws:ecs:.*:container-instance\/gpu-endpoints-Fleet-(?:Cluster[0-9A-F]{8}|\*)\/\*$/,
    () => 'instances of the cluster',
  ],
  [
    /^arn:aws:autoscaling:.*:autoScalingGroup:\*:autoScalingGroupName\/gpu-endpoints-Fleet-Pool\*$/,
    () => 'groups of pools',
  ],
  [/^arn:aws:logs:.*:log-group:/, () => 'its log group'],
  [/^arn:aws:secretsmanager:.*:secret:gpu-endpoints\/env\/\*$/, () => 'secrets of variables'],
  [/^arn:aws:secretsmanager:.*:secret:gpu-endpoints\/client-keys\/\*$/, () => 'keys of functions'],
  [/^arn:aws:secretsmanager:.*:secret:gpu-endpoints\/registry-auth\/\*$/, () => 'logins of registries'],
  [/^arn:aws:ecr:.*:repository\/\*$/, () => 'repositories of the account and Region'],
  [/^arn:aws:ecr:.*:repository\/cdk-/, () => 'repository of the images'],
  [/^arn:aws:apigateway:.*::\/usageplans\/\*\/keys$/, () => 'keys of usage plans'],
  [/^arn:aws:apigateway:.*::\/usageplans\/\*\/keys\/\*$/, () => 'each key of usage plans'],
  [/^\*$/, () => 'no resource'],
];

/** Returns the name of a resource, or the ARN of an unknown resource, for which no reason exists. */
export function resourceNamed(arn: string): string {
  for (const [pattern, name] of namings) {
    const match = pattern.exec(arn);
    if (match) return name(match);
  }
  return arn.replace(HASH, '');
}
