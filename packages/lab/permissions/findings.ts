/** Compares the granted and used permissions with their reasons. */
import { type Grant, keyOf } from './grants.ts';
import { type ExplainedGrant, reasons } from './reasons.ts';

function findingOf({ used, indispensable }: Grant, explained: readonly ExplainedGrant[]): string | undefined {
  const [reason, ...others] = explained;
  if (!reason) return 'is granted without a reason';
  if (others.length > 0) return 'has several reasons';
  if (reason.sometimes !== undefined) return undefined;
  if (reason.unused !== undefined) return used > 0 ? 'is used, although its reason states that it is not' : undefined;
  if (used === 0) return 'was not used';
  return indispensable ? undefined : 'is also granted by something else';
}

/** Returns one line for each grant that contradicts its reason or has none, and for each reason without a grant. */
export function findings(grants: readonly Grant[], given: readonly ExplainedGrant[] = reasons()): string[] {
  const byKey = Map.groupBy(given, keyOf);
  const ofGrants = grants.flatMap((grant) => {
    const key = keyOf(grant);
    const finding = findingOf(grant, byKey.get(key) ?? []);
    return finding ? [`${key}: ${finding}`] : [];
  });
  const granted = new Set(grants.map(keyOf));
  const stale = [...byKey.keys()].filter((key) => !granted.has(key));
  return [...ofGrants, ...stale.map((key) => `${key}: has a reason, but is not granted`)];
}
