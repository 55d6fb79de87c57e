import * as z from 'zod/mini';
import { arn } from '../../account.ts';
import { compilePattern } from '../../events/pattern.ts';
import { LocalError } from '../../local-error.ts';
import { describe, ignored, physicalName } from '../resource.ts';
import { run } from '../resource-type.ts';

const number = z.coerce.number();
const MAX_NAME_LENGTH = 64;

/** A limit for which -1 means unlimited. */
const limit = z.pipe(
  z._default(number, -1),
  z.transform((value: number) => (value < 0 ? Number.POSITIVE_INFINITY : value)),
);

const pipeSchema = z.strictObject({
  Name: z.optional(z.string()),
  RoleArn: z.string(),
  DesiredState: z.optional(z.literal('RUNNING')),
  Source: z.string().check(z.regex(/^arn:aws:dynamodb:.*\/stream\//)),
  SourceParameters: z.strictObject({
    FilterCriteria: z.optional(z.strictObject({ Filters: z.array(z.strictObject({ Pattern: z.string() })) })),
    DynamoDBStreamParameters: z.strictObject({
      StartingPosition: z.literal(['TRIM_HORIZON', 'LATEST']),
      BatchSize: z._default(number, 100),
      MaximumBatchingWindowInSeconds: z._default(number, 0),
      OnPartialBatchItemFailure: z.optional(z.literal('AUTOMATIC_BISECT')),
      MaximumRetryAttempts: limit,
      MaximumRecordAgeInSeconds: limit,
      DeadLetterConfig: z.optional(z.strictObject({ Arn: z.string() })),
      // Starting an execution takes no time here, so parallel starts would not be faster.
      ParallelizationFactor: ignored,
    }),
  }),
  Target: z.string(),
  TargetParameters: z.strictObject({
    StepFunctionStateMachineParameters: z.strictObject({ InvocationType: z.literal('FIRE_AND_FORGET') }),
  }),
  Description: ignored,
  Tags: ignored,
});

export const pipe = run(pipeSchema, (resource, { stateMachines, queues, eventSources }) => {
  const { Name: name = physicalName(resource, MAX_NAME_LENGTH), RoleArn, Source, Target } = resource.properties;
  const { FilterCriteria, DynamoDBStreamParameters: stream } = resource.properties.SourceParameters;
  const where = describe(resource);
  if (!stateMachines.has(Target))
    throw new LocalError(`${where} cannot run here: there is no state machine ${Target}.`);
  const onFailure = stream.DeadLetterConfig?.Arn;
  if (onFailure !== undefined && !queues.has(onFailure.split(':').at(-1) ?? ''))
    throw new LocalError(`${where} cannot run here: there is no queue ${onFailure}.`);
  const filters = FilterCriteria?.Filters.map(({ Pattern }) => compilePattern(JSON.parse(Pattern), where));
  const pipeArn = arn('pipes', `pipe/${name}`);

  eventSources.push({
    id: `${resource.stack.id}/${resource.logicalId}`,
    targetArn: Target,
    pipe: { arn: pipeArn, roleArn: RoleArn },
    streamArn: Source,
    startingPosition: stream.StartingPosition,
    batchSize: stream.BatchSize,
    window: stream.MaximumBatchingWindowInSeconds * 1000,
    bisect: stream.OnPartialBatchItemFailure !== undefined,
    retries: stream.MaximumRetryAttempts,
    maxAge: stream.MaximumRecordAgeInSeconds * 1000,
    reportsFailures: false,
    matches: filters ? (event) => filters.some((matches) => matches(event)) : () => true,
    onFailure,
  });
  return { ref: name, attributes: { Arn: pipeArn } };
});
