/** Calls the authorizer of a method, which allows or denies a request. */

import * as z from 'zod/mini';
import { FunctionError } from '../functions/call.ts';
import type { Functions } from '../functions/functions.ts';
import type { DecisionCache } from './decision-cache.ts';
import { authorizerEvent, type Call, methodArn, requestContext } from './event.ts';
import { Refusal } from './gateway-response.ts';
import type { Authorizer, IdentitySource } from './model.ts';
import { headerOf } from './request.ts';

export interface Permission {
  /** `principalId` and the context, as strings. */
  readonly authorizer: Readonly<Record<string, string>>;
  /** The value of the API key for the usage plan. */
  readonly usageIdentifierKey: string | undefined;
}

const oneOrMore = z.union([z.string(), z.array(z.string())]);
const answerSchema = z.object({
  principalId: z.string(),
  policyDocument: z.object({
    Statement: z.array(z.object({ Effect: z.literal(['Allow', 'Deny']), Action: oneOrMore, Resource: oneOrMore })),
  }),
  context: z._default(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])), {}),
  usageIdentifierKey: z.optional(z.nullable(z.string())),
});

/** The response of an authorizer. */
export type Answer = z.output<typeof answerSchema>;

/** Returns whether a policy pattern with `*` and `?` matches the string. */
export function covers(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}

/** Returns whether a statement allows the resource and no statement denies it. */
function allows({ policyDocument }: Answer, resource: string): boolean {
  const effects = policyDocument.Statement.filter(
    ({ Action, Resource }) =>
      [Action].flat().some((pattern) => covers(pattern.toLowerCase(), 'execute-api:invoke')) &&
      [Resource].flat().some((pattern) => covers(pattern, resource)),
  ).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}

async function askFunction(functions: Functions, functionArn: string, call: Call): Promise<Answer> {
  const text = await functions.invoke(functionArn, authorizerEvent(call)).catch((error: unknown) => {
    const unauthorized = error instanceof FunctionError && error.message === 'Unauthorized';
    throw new Refusal(unauthorized ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE');
  });
  const parsed = z.safeParse(answerSchema, JSON.parse(text));
  if (!parsed.success) throw new Refusal('AUTHORIZER_CONFIGURATION_ERROR');
  return parsed.data;
}

/** Returns a variable of the request context, or undefined if it has no value. */
function variableOf(call: Call, name: Extract<IdentitySource, { in: 'context' }>['name']): string | undefined {
  const { identity, ...context } = requestContext(call, {});
  return name === 'identity.sourceIp' ? identity.sourceIp : context[name];
}

function valueIn(call: Call, source: IdentitySource): string | undefined {
  if (source.in === 'context') return variableOf(call, source.name);
  return source.in === 'header' ? headerOf(call.request, source.name) : call.request.query.get(source.name)?.at(-1);
}

/**
 * Authorizes a request. Responses of the authorizer are cached by the identity sources, both those that allow and
 * those that deny. The policy of a cached response is evaluated for each request.
 * @throws Refusal if the request is denied
 */
export async function authorize(
  functions: Functions,
  decisions: DecisionCache<Answer>,
  authorizer: Authorizer,
  call: Call,
): Promise<Permission> {
  const values = authorizer.identitySources.map((source) => valueIn(call, source) ?? '');
  if (values.includes('')) throw new Refusal('UNAUTHORIZED');
  const answer = await decisions.read(authorizer, values, () => askFunction(functions, authorizer.functionArn, call));
  const context = Object.entries(answer.context).map(([name, value]) => [name, String(value)]);
  const variables = { ...Object.fromEntries(context), principalId: answer.principalId };
  if (!allows(answer, methodArn(call))) throw new Refusal('ACCESS_DENIED', { authorizer: variables });
  return { authorizer: variables, usageIdentifierKey: answer.usageIdentifierKey ?? undefined };
}
