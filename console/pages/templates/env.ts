/** Environment variables of a template in a form. A value that may be secret is never shown. */

/** In place of a value that the service hides from a user who is not the template's owner. */
export const HIDDEN = '********';

const REFERENCE = /^\{\{secrets:([^{}]*)\}\}$/;

/** Names under which people keep credentials as plain text. */
const CREDENTIAL =
  /(?:^|_)(?:PASSWORD|PASSWD|PASSPHRASE|SECRETS?|TOKEN|CREDENTIALS?|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|KEY|AUTH|DSN)(?:_|$)/i;

export type Variable =
  | { readonly kind: 'text'; readonly name: string; readonly value: string }
  /** `value` is the name of a secret in the vault. */
  | { readonly kind: 'secret'; readonly name: string; readonly value: string }
  /** Keeps the value that the template has under the name `original`. The page does not show it. */
  | { readonly kind: 'kept'; readonly name: string; readonly original: string };

/** The name of the secret that a value refers to; undefined of a plain text. */
export const secretOf = (value: string): string | undefined => REFERENCE.exec(value)?.[1];

/** Whether a plain value is not shown: it was hidden by the service, or its name says that it is a credential. */
export const isConcealed = (name: string, value: string): boolean =>
  secretOf(value) === undefined && (value === HIDDEN || (value !== '' && CREDENTIAL.test(name)));

/** The service keeps variables in no order; a list must not move when it is refreshed. */
export const byName = (one: string, other: string): number => (one < other ? -1 : 1);

export const entriesOf = (env: Readonly<Record<string, string>>): [name: string, value: string][] =>
  Object.entries(env).toSorted(([one], [other]) => byName(one, other));

export function variablesOf(env: Readonly<Record<string, string>>): Variable[] {
  return entriesOf(env).map(([name, value]) => {
    const secret = secretOf(value);
    if (secret !== undefined) return { kind: 'secret', name, value: secret };
    return isConcealed(name, value) ? { kind: 'kept', name, original: name } : { kind: 'text', name, value };
  });
}

const isBlank = (variable: Variable) => variable.kind !== 'kept' && variable.name === '' && variable.value === '';

const sentValueOf = (variable: Variable, from: Readonly<Record<string, string>>): string => {
  if (variable.kind === 'kept') return from[variable.original] ?? '';
  return variable.kind === 'secret' ? `{{secrets:${variable.value}}}` : variable.value;
};

/** @param from variables of the template, for values that stay */
export function envOf(variables: readonly Variable[], from: Readonly<Record<string, string>>): Record<string, string> {
  const named = variables.filter((variable) => !isBlank(variable));
  // Own members only, also for a name such as `__proto__`, which the service refuses by name.
  return Object.fromEntries(named.map((variable) => [variable.name, sentValueOf(variable, from)]));
}

/** Index of each variable whose name an earlier one has: the request could hold only one of them. */
export const repeated = (variables: readonly Variable[]): number[] =>
  variables.flatMap((variable, index) =>
    !isBlank(variable) && variables.slice(0, index).some(({ name }) => name === variable.name) ? [index] : [],
  );

/**
 * @param text an error of the service, which names a variable in quotes or after `for`, and a secret in backticks
 * @returns index of each variable that it names
 */
export function concerned(text: string, variables: readonly Variable[]): number[] {
  const after = new Set([...text.matchAll(/ for ([A-Za-z_]\w*)/g)].map(([, name]) => name));
  return variables.flatMap((variable, index) => {
    const isNamed = text.includes(`"${variable.name}"`) || after.has(variable.name);
    const isSecret = variable.kind === 'secret' && text.includes(`\`${variable.value}\``);
    return !isBlank(variable) && (isNamed || isSecret) ? [index] : [];
  });
}

/** The text that the page shows for a value: the name of a secret, or that the value is hidden. */
export function valueShown(name: string, value: string): string {
  const secret = secretOf(value);
  if (secret !== undefined) return `Secret ${secret}`;
  return isConcealed(name, value) ? 'Hidden' : value;
}
