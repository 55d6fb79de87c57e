/** Keeps the state of a page in the query string, so that a link can restore it. */
import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** Parameters to change; undefined or an empty string removes a parameter. */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** @returns a copy with the changes */
export function withParameters(present: URLSearchParams, changes: Parameters): URLSearchParams {
  const next = new URLSearchParams(present);
  for (const [name, value] of Object.entries(changes))
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  return next;
}

interface Options {
  /** Whether the Back button skips the change, for example for typed text. */
  readonly replace?: boolean;
}

export function useParameters(): readonly [URLSearchParams, (changes: Parameters, options?: Options) => void] {
  const [present, setPresent] = useSearchParams();
  const change = useCallback(
    (changes: Parameters, options?: Options) => setPresent((latest) => withParameters(latest, changes), options),
    [setPresent],
  );
  return [present, change];
}

/** Returns the value of a query parameter or its default. Setting the default removes the parameter. */
export function useChoice<T extends string>(
  name: string,
  usual: T,
  choices: readonly T[],
): readonly [T, (value: string) => void] {
  const [parameters, change] = useParameters();
  const found = choices.find((choice) => choice === parameters.get(name)) ?? usual;
  return [found, (value) => change({ [name]: value === usual ? undefined : value }, { replace: true })];
}
