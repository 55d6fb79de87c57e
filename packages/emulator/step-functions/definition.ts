/** The supported part of state machine definitions. Any other element prevents the start. */
import * as z from 'zod/mini';
import { LocalError } from '../local-error.ts';

/** Maximum duration of an Express execution, in seconds. */
const EXPRESS_LIMIT = 300;

const path = z.optional(z.nullable(z.string()));
const names = z.array(z.string()).check(z.minLength(1));
/** With JSONata, the interpreter would ignore unknown fields. */
const language = z.optional(z.literal('JSONPath'));

const retrier = z.strictObject({
  ErrorEquals: names,
  IntervalSeconds: z._default(z.int().check(z.minimum(1)), 1),
  MaxAttempts: z._default(z.int().check(z.minimum(0)), 3),
  BackoffRate: z._default(z.number().check(z.minimum(1)), 2),
});
const catcher = z.strictObject({ ErrorEquals: names, Next: z.string(), ResultPath: path });

const task = z.strictObject({
  Type: z.literal('Task'),
  Resource: z.literal('arn:aws:states:::lambda:invoke'),
  Parameters: z.strictObject({ FunctionName: z.string(), Payload: z.record(z.string(), z.unknown()) }),
  ResultPath: path,
  Retry: z._default(z.array(retrier), []),
  Catch: z._default(z.array(catcher), []),
  TimeoutSeconds: z._default(z.int().check(z.minimum(1)), EXPRESS_LIMIT),
  Next: z.optional(z.string()),
  End: z.optional(z.literal(true)),
  QueryLanguage: language,
  Comment: z.optional(z.string()),
});
/** A Wait state that waits until a time in the input. */
const wait = z.strictObject({
  Type: z.literal('Wait'),
  TimestampPath: z.string(),
  Next: z.optional(z.string()),
  End: z.optional(z.literal(true)),
  QueryLanguage: language,
  Comment: z.optional(z.string()),
});
const comment = { QueryLanguage: language, Comment: z.optional(z.string()) };
const succeed = z.strictObject({ Type: z.literal('Succeed'), ...comment });
const fail = z.strictObject({
  Type: z.literal('Fail'),
  Error: z.optional(z.string()),
  Cause: z.optional(z.string()),
  ...comment,
});

const definitionSchema = z.strictObject({
  StartAt: z.string(),
  States: z.record(z.string(), z.discriminatedUnion('Type', [task, wait, succeed, fail])),
  TimeoutSeconds: z._default(z.int().check(z.minimum(1), z.maximum(EXPRESS_LIMIT)), EXPRESS_LIMIT),
  QueryLanguage: language,
  Comment: z.optional(z.string()),
});
export type Definition = z.output<typeof definitionSchema>;

/**
 * Describes each transition to a state that does not exist, and each state that has both or neither of Next and
 * End.
 */
function* lostSteps({ StartAt, States }: Definition): Iterable<string> {
  const isLost = (name: string) => !Object.hasOwn(States, name);
  if (isLost(StartAt)) yield `StartAt leads to ${StartAt}, which does not exist`;
  for (const [name, state] of Object.entries(States)) {
    if (state.Type !== 'Task' && state.Type !== 'Wait') continue;
    const caught = state.Type === 'Task' ? state.Catch.map(({ Next }) => Next) : [];
    const lost = [...caught, state.Next ?? []].flat().filter(isLost);
    yield* lost.map((next) => `${name} leads to ${next}, which does not exist`);
    if ((state.Next === undefined) === (state.End === undefined)) yield `${name} must have either Next or End`;
  }
}

/**
 * Parses a definition.
 * @param where describes the resource in a sentence
 * @throws LocalError for a definition that cannot run as it would in AWS
 */
export function parseDefinition(text: string, where: string): Definition {
  const parsed = z.safeParse(definitionSchema, JSON.parse(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') || 'its definition';
    const more = issue?.code === 'unrecognized_keys' ? ` (${issue.keys.join(', ')})` : '';
    throw new LocalError(
      `${where} cannot run here: ${place}${more} is not supported by state machines on this machine.`,
    );
  }
  const [lost] = lostSteps(parsed.data);
  if (lost) throw new LocalError(`${where} cannot run here: ${lost}.`);
  return parsed.data;
}
