/** What an environment changes in the endpoints of all environments. */
import { chosenEnvironment } from '../../lib/deployment/environments.ts';
import { type EndpointDeclaration, readDeclarations } from '../../lib/endpoints/declaration.ts';
import { scopeWith } from '../../lib/settings/settings.ts';
import type { Context } from '../assembly/context.ts';

export interface Overridden {
  /** Id of the endpoint. */
  readonly endpoint: string;
  /** Name of the field, such as `maxWorkers`, or `deploy`. */
  readonly field: string;
  /** Values in the environment, and without it. Both are absent for `env`, whose values must not be logged. */
  readonly value?: unknown;
  readonly without?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const changedNames = (one: Fields, other: Fields) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => !isSame(one[name], other[name]));

function changesOf(endpoint: string, before?: EndpointDeclaration, after?: EndpointDeclaration): Overridden[] {
  if (!before || !after)
    return [{ endpoint, field: 'deploy', value: after !== undefined, without: before !== undefined }];
  const { env: oldEnv = {}, ...old } = before;
  const { env = {}, ...now } = after;
  return [
    ...changedNames(old, now).map((field) => ({
      endpoint,
      field,
      value: Reflect.get(now, field) as unknown,
      without: Reflect.get(old, field) as unknown,
    })),
    ...changedNames(oldEnv, env).map((name) => ({ endpoint, field: `env.${name}` })),
  ];
}

/**
 * Returns the fields that the environment of the context overrides, by endpoint.
 * @param root parent of `endpoints/` and `environments/`
 */
export function overriddenIn(root: string, context: Context): { environment: string; fields: Overridden[] } {
  const { name } = chosenEnvironment(scopeWith(context), root);
  if (name === undefined) return { environment: '', fields: [] };
  const before = new Map(readDeclarations(root).map((declaration) => [declaration.id, declaration]));
  const after = new Map(readDeclarations(root, name).map((declaration) => [declaration.id, declaration]));
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  return { environment: name, fields: ids.flatMap((id) => changesOf(id, before.get(id), after.get(id))) };
}
