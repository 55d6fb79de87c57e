import * as z from 'zod/mini';
import { arn } from '../../account.ts';
import { compilePattern } from '../../events/pattern.ts';
import { LocalError } from '../../local-error.ts';
import { describe, ignored, physicalName } from '../resource.ts';
import { run } from '../resource-type.ts';

/** Milliseconds of each unit. */
const UNITS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** A rate expression of EventBridge: 1 with a singular unit, or a larger number with a plural unit. */
const RATE = /^rate\((?:(1) (minute|hour|day)|([2-9]|[1-9]\d+) (minute|hour|day)s)\)$/;

/** The longest timer of Node.js, in milliseconds. */
const MAX_PERIOD = 2 ** 31 - 1;

/** Returns the period in milliseconds; `NaN` for an expression that is not a rate. */
const periodOf = (expression: string): number => {
  const [, one, unit, several, units] = RATE.exec(expression) ?? [];
  return Number(one ?? several) * (UNITS[unit ?? units ?? ''] ?? Number.NaN);
};

const ruleSchema = z.strictObject({
  Name: z.optional(z.string()),
  EventBusName: z.optional(z.literal('default')),
  State: z._default(z.literal(['ENABLED', 'DISABLED']), 'ENABLED'),
  ScheduleExpression: z.optional(z.string().check(z.refine((expression) => periodOf(expression) <= MAX_PERIOD))),
  EventPattern: z.optional(z.record(z.string(), z.unknown())),
  Targets: z._default(
    z.array(
      z.strictObject({
        Id: ignored,
        Arn: z.string().check(z.regex(/^arn:aws:lambda:/)),
        Input: z.optional(z.string()),
        // The retry policy and the dead-letter queue are for events that EventBridge cannot pass to Lambda, which
        // does not happen here. Lambda's asynchronous invocation handles functions that fail.
        RetryPolicy: ignored,
        DeadLetterConfig: ignored,
      }),
    ),
    [],
  ),
  Description: ignored,
  Tags: ignored,
});

export const rule = run(ruleSchema, (resource, { functions, rules }) => {
  const { State, ScheduleExpression, EventPattern, Targets } = resource.properties;
  const { Name = physicalName(resource, 64) } = resource.properties;
  const where = describe(resource);
  if (ScheduleExpression === undefined && EventPattern === undefined)
    throw new LocalError(`${where} cannot run here: it has neither a schedule nor a pattern.`);
  const unknown = Targets.find((target) => !functions.has(target.Arn));
  if (unknown) throw new LocalError(`${where} cannot run here: there is no function ${unknown.Arn}.`);

  const ruleArn = arn('events', `rule/${Name}`);
  const definition = {
    arn: ruleArn,
    ...(ScheduleExpression !== undefined && { period: periodOf(ScheduleExpression) }),
    ...(EventPattern && { matches: compilePattern(EventPattern, where) }),
    targets: Targets.map(({ Arn, Input }) => ({
      functionArn: Arn,
      ...(Input !== undefined && { input: JSON.parse(Input) as object }),
    })),
  };
  if (State === 'ENABLED') rules.push(definition);
  return { ref: Name, attributes: { Arn: ruleArn } };
});
