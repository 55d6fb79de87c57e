/** Parses the policy documents of templates into statements that can be evaluated. */
import * as z from 'zod/mini';
import { account } from '../account.ts';
import { ignored } from '../cloudformation/resource.ts';
import { LocalError } from '../local-error.ts';
import { type Condition, parseCondition } from './condition.ts';
import { type Wildcard, wildcard } from './wildcard.ts';

const texts = z.union([z.string(), z.array(z.string())]);
const scalar = z.union([z.string(), z.boolean(), z.number()]);

const statement = z.strictObject({
  Sid: ignored,
  Effect: z.literal(['Allow', 'Deny']),
  Principal: z.optional(
    z.union([z.literal('*'), z.strictObject({ AWS: z.optional(texts), Service: z.optional(texts) })]),
  ),
  Action: z.optional(texts),
  NotAction: z.optional(texts),
  Resource: texts,
  Condition: z.optional(z.record(z.string(), z.record(z.string(), z.union([scalar, z.array(scalar)])))),
});

export const policyDocument = z.strictObject({
  Version: z.literal('2012-10-17'),
  Id: ignored,
  Statement: z.array(statement),
});

export type PolicyDocument = z.output<typeof policyDocument>;
export type DeclaredStatement = z.output<typeof statement>;

/** A principal in a statement of a resource policy. */
export type Principal = { readonly aws: string } | { readonly service: string };

export interface Statement {
  /** Description of the policy in a sentence. */
  readonly policy: string;
  /** Position in the policy, from 0. */
  readonly index: number;
  readonly effect: 'Allow' | 'Deny';
  /** Actions that the statement covers or, with `exceptActions`, does not cover. */
  readonly actions: readonly Wildcard[];
  readonly exceptActions: boolean;
  readonly resources: readonly Wildcard[];
  /** Principals of the statement; absent from identity policies. */
  readonly principals?: readonly Principal[];
  readonly conditions: readonly Condition[];
}

const isOnRole = ({ key }: Condition) => key.toLowerCase() === 'aws:principalarn';

const namesAll = ({ principals = [] }: Statement) =>
  principals.some((principal) => 'aws' in principal && principal.aws === '*');

/** Returns whether a statement of a resource policy covers every caller. */
export const isAboutEverybody = (statement: Statement): boolean =>
  namesAll(statement) && !statement.conditions.some(isOnRole);

/**
 * Returns whether a statement of a resource policy covers the role, by its ARN or by a condition on the ARN for all
 * callers.
 */
export const namesRole = (statement: Statement, roleArn: string): boolean =>
  namesAll(statement)
    ? statement.conditions.filter(isOnRole).every(({ holds }) => holds({ 'aws:principalarn': [roleArn] }))
    : (statement.principals ?? []).some((principal) => 'aws' in principal && principal.aws === roleArn);

const list = <Item>(value: Item | readonly Item[] | undefined): readonly Item[] =>
  value === undefined ? [] : ([value].flat() as Item[]);

const VARIABLE = /\$\{/;
const ROLE = new RegExp(`^arn:${account.partition}:iam::${account.id}:role/[^*?]+$`);

function principalsOf({ Principal }: DeclaredStatement, where: string): readonly Principal[] | undefined {
  if (Principal === undefined) return undefined;
  if (Principal === '*') return [{ aws: '*' }];
  const foreign = list(Principal.AWS).find((aws) => aws !== '*' && !ROLE.test(aws));
  if (foreign) throw new LocalError(`${where} names ${foreign}, which is not a role of this account.`);
  return [...list(Principal.AWS).map((aws) => ({ aws })), ...list(Principal.Service).map((service) => ({ service }))];
}

function conditionsOf({ Condition = {} }: DeclaredStatement, where: string): Condition[] {
  return Object.entries(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) => parseCondition(operator, key, list(values).map(String), where)),
  );
}

function parseStatement(declared: DeclaredStatement, policy: string, index: number): Statement {
  const where = `Statement ${index} of ${policy}`;
  const { Effect, Action, NotAction, Resource } = declared;
  if ((Action === undefined) === (NotAction === undefined))
    throw new LocalError(`${where} must have either Action or NotAction.`);
  if (VARIABLE.test(JSON.stringify(declared)))
    throw new LocalError(`${where} has a policy variable, which cannot be evaluated here.`);
  const principals = principalsOf(declared, where);
  return {
    policy,
    index,
    effect: Effect,
    actions: list(Action ?? NotAction).map((text) => wildcard(text, { ignoreCase: true })),
    exceptActions: NotAction !== undefined,
    resources: list(Resource).map((text) => wildcard(text)),
    ...(principals && { principals }),
    conditions: conditionsOf(declared, where),
  };
}

/**
 * Parses a policy document.
 * @param policy describes the policy in a sentence
 * @param kind statements of identity policies have no principal; those of resource policies have one
 * @throws LocalError if the document contains an element that cannot be evaluated here
 */
export function parsePolicy({ Statement }: PolicyDocument, policy: string, kind: 'identity' | 'resource'): Statement[] {
  const statements = Statement.map((declared, index) => parseStatement(declared, policy, index));
  const odd = statements.find(({ principals }) => (principals === undefined) !== (kind === 'identity'));
  if (odd)
    throw new LocalError(
      `Statement ${odd.index} of ${policy} must ${kind === 'identity' ? 'not ' : ''}have a principal.`,
    );
  return statements;
}
