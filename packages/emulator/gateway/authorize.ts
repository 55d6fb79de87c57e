/** Calls the authorizer of a method, which allows or denies a request. */

import * as z from 'zod/mini';
import { FunctionError } from '../functions/call.ts';
import type { Functions } from '../functions/functions.ts';
import { type Wildcard, wildcard } from '../iam/wildcard.ts';
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

const INVOKE = 'execute-api:Invoke';

/** The response of an authorizer. */
export interface Answer extends Omit<z.output<typeof answerSchema>, 'policyDocument'> {
  /** The statements of its policy about calls of the API, compiled for all requests that the cache answers. */
  readonly statements: readonly { readonly effect: 'Allow' | 'Deny'; readonly resources: readonly Wildcard[] }[];
}

function compiled({ policyDocument, ...rest }: z.output<typeof answerSchema>): Answer {
  const statements = policyDocument.Statement.filter(({ Action }) =>
    [Action].flat().some((pattern) => wildcard(pattern, { ignoreCase: true }).matches(INVOKE)),
  ).map(({ Effect, Resource }) => ({
    effect: Effect,
    resources: [Resource].flat().map((pattern) => wildcard(pattern)),
  }));
  return { ...rest, statements };
}

/** Returns whether a statement allows the resource and no statement denies it. */
function allows({ statements }: Answer, resource: string): boolean {
  const effects = statements
    .filter(({ resources }) => resources.some((pattern) => pattern.matches(resource)))
    .map(({ effect }) => effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}

async function askFunction(functions: Functions, functionArn: string, call: Call): Promise<Answer> {
  const text = await functions.invoke(functionArn, authorizerEvent(call)).catch((cause: unknown) => {
    const unauthorized = cause instanceof FunctionError && cause.message === 'Unauthorized';
    throw new Refusal(unauthorized ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE', { cause });
  });
  const parsed = z.safeParse(answerSchema, JSON.parse(text));
  if (!parsed.success) throw new Refusal('AUTHORIZER_CONFIGURATION_ERROR');
  return compiled(parsed.data);
}

/** Returns the value of each source, or an empty string for a source without a value. */
function valuesOf(sources: readonly IdentitySource[], call: Call): string[] {
  const { identity, ...context } = requestContext(call, {});
  const valueIn = ({ in: place, name }: IdentitySource): string | undefined => {
    if (place === 'context') return name === 'identity.sourceIp' ? identity.sourceIp : context[name];
    return place === 'header' ? headerOf(call.request, name) : call.request.query.get(name)?.at(-1);
  };
  return sources.map((source) => valueIn(source) ?? '');
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
  const values = valuesOf(authorizer.identitySources, call);
  if (values.includes('')) throw new Refusal('UNAUTHORIZED');
  const answer = await decisions.read(authorizer, values, () => askFunction(functions, authorizer.functionArn, call));
  const context = Object.entries(answer.context).map(([name, value]) => [name, String(value)]);
  const variables = { ...Object.fromEntries(context), principalId: answer.principalId };
  if (!allows(answer, methodArn(call))) throw new Refusal('ACCESS_DENIED', { authorizer: variables });
  return { authorizer: variables, usageIdentifierKey: answer.usageIdentifierKey ?? undefined };
}
