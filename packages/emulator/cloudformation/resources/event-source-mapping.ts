import * as z from 'zod/mini';
import { arn } from '../../account.ts';
import { compilePattern } from '../../events/pattern.ts';
import { LocalError } from '../../local-error.ts';
import { describe, ignored, shortId } from '../resource.ts';
import { run } from '../resource-type.ts';

const number = z.coerce.number();
const QUEUE = /^arn:aws:sqs:/;

/** A limit for which -1 means unlimited. */
const limit = z.pipe(
  z._default(number, -1),
  z.transform((value: number) => (value < 0 ? Number.POSITIVE_INFINITY : value)),
);

const mappingSchema = z.strictObject({
  FunctionName: z.string(),
  EventSourceArn: z.string().check(z.regex(/^arn:aws:dynamodb:.*\/stream\//)),
  StartingPosition: z.literal(['TRIM_HORIZON', 'LATEST']),
  Enabled: z.optional(z.literal([true, 'true'])),
  BatchSize: z._default(number, 100),
  MaximumBatchingWindowInSeconds: z._default(number, 0),
  ParallelizationFactor: z.optional(z.literal([1, '1'])),
  BisectBatchOnFunctionError: z._default(z.boolean(), false),
  MaximumRetryAttempts: limit,
  MaximumRecordAgeInSeconds: limit,
  FunctionResponseTypes: z._default(z.array(z.literal('ReportBatchItemFailures')), []),
  FilterCriteria: z.optional(z.strictObject({ Filters: z.array(z.strictObject({ Pattern: z.string() })) })),
  DestinationConfig: z.optional(
    z.strictObject({ OnFailure: z.strictObject({ Destination: z.string().check(z.regex(QUEUE)) }) }),
  ),
  Tags: ignored,
});

/** Returns the ARN of a function that is given by name or ARN. */
const functionArnOf = (name: string) => (name.startsWith('arn:') ? name : arn('lambda', `function:${name}`));

export const eventSourceMapping = run(mappingSchema, (resource, { functions, queues, eventSources }) => {
  const { properties } = resource;
  const where = describe(resource);
  const functionArn = functionArnOf(properties.FunctionName);
  if (!functions.has(functionArn))
    throw new LocalError(`${where} cannot run here: there is no function ${properties.FunctionName}.`);
  const onFailure = properties.DestinationConfig?.OnFailure.Destination;
  if (onFailure !== undefined && !queues.has(onFailure.split(':').at(-1) ?? ''))
    throw new LocalError(`${where} cannot run here: there is no queue ${onFailure}.`);
  const filters = properties.FilterCriteria?.Filters.map(({ Pattern }) => compilePattern(JSON.parse(Pattern), where));

  eventSources.push({
    id: `${resource.stack.id}/${resource.logicalId}`,
    targetArn: functionArn,
    streamArn: properties.EventSourceArn,
    startingPosition: properties.StartingPosition,
    batchSize: properties.BatchSize,
    window: properties.MaximumBatchingWindowInSeconds * 1000,
    bisect: properties.BisectBatchOnFunctionError,
    retries: properties.MaximumRetryAttempts,
    maxAge: properties.MaximumRecordAgeInSeconds * 1000,
    reportsFailures: properties.FunctionResponseTypes.length > 0,
    matches: filters ? (event) => filters.some((matches) => matches(event)) : () => true,
    onFailure,
  });
  const id = shortId(resource);
  return {
    ref: id,
    attributes: { Id: id, EventSourceMappingArn: arn('lambda', `event-source-mapping:${id}`) },
  };
});
