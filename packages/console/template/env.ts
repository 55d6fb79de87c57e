/** Environment variables of a template in a form. A value that might be secret is never shown. */

/** Shown by the service instead of a value that is hidden from users of other owners. */
export const HIDDEN = '********';

const REFERENCE = /^\{\{secrets:([^{}]*)\}\}$/;

/** Matches variable names that suggest a credential. */
const CREDENTIAL =
  /(?:^|_)(?:PASSWORD|PASSWD|PASSPHRASE|SECRETS?|TOKEN|CREDENTIALS?|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|KEY|AUTH|DSN)(?:_|$)/i;

export type Variable =
  | { readonly kind: 'text'; readonly name: string; readonly value: string }
  /** `value` is the name of a stored secret. */
  | { readonly kind: 'secret'; readonly name: string; readonly value: string }
  /** Keeps the value of the template's variable `original`. The page does not show it. */
  | { readonly kind: 'kept'; readonly name: string; readonly original: string };

/** Returns the name of the secret that a value refers to; undefined for plain text. */
export const secretOf = (value: string): string | undefined => REFERENCE.exec(value)?.[1];

/** @returns whether a plain value is not shown: the service hides it, or its name suggests a credential */
export const isConcealed = (name: string, value: string): boolean =>
  secretOf(value) === undefined && (value === HIDDEN || (value !== '' && CREDENTIAL.test(name)));

/** Sorts by name: the service returns variables in any order, and a refresh must not move the rows. */
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

/** @param from variables of the template, for values that are kept */
export function envOf(variables: readonly Variable[], from: Readonly<Record<string, string>>): Record<string, string> {
  const named = variables.filter((variable) => !isBlank(variable));
  // Reads own members only. The service refuses names such as `__proto__`.
  return Object.fromEntries(named.map((variable) => [variable.name, sentValueOf(variable, from)]));
}

/**
 * Returns the index of each variable that has the name of an earlier one. The request could contain only one of
 * them.
 */
export const repeated = (variables: readonly Variable[]): number[] =>
  variables.flatMap((variable, index) =>
    !isBlank(variable) && variables.slice(0, index).some(({ name }) => name === variable.name) ? [index] : [],
  );

/**
 * @param text an error from the service that names a variable in quotes or after `for`, or a secret in backticks
 * @returns the index of each variable that the error names
 */
export function concerned(text: string, variables: readonly Variable[]): number[] {
  const after = new Set([...text.matchAll(/ for ([A-Za-z_]\w*)/g)].map(([, name]) => name));
  return variables.flatMap((variable, index) => {
    const isNamed = text.includes(`"${variable.name}"`) || after.has(variable.name);
    const isSecret = variable.kind === 'secret' && text.includes(`\`${variable.value}\``);
    return !isBlank(variable) && (isNamed || isSecret) ? [index] : [];
  });
}

/**
 * Returns the text that the page shows for a value: the name of a secret, the value itself, or that it is hidden.
 */
export function valueShown(name: string, value: string): string {
  const secret = secretOf(value);
  if (secret !== undefined) return `Secret ${secret}`;
  return isConcealed(name, value) ? 'Hidden' : value;
}
