/** Holds what was granted and used against what is explained. */
import { type Grant, keyOf } from './grants.ts';
import { type Reason, reasons } from './reasons.ts';

const keysOf = (reason: Reason): string[] =>
  reason.roles.flatMap((role) =>
    reason.actions.flatMap((action) => reason.resources.map((resource) => keyOf({ role, action, resource }))),
  );

function findingOf({ used, indispensable }: Grant, explained: readonly Reason[]): string | undefined {
  const [reason, ...others] = explained;
  if (!reason) return 'is granted, and no reason is given';
  if (others.length > 0) return 'has several reasons';
  if (reason.seldom !== undefined) return undefined;
  if (reason.unused !== undefined) return used > 0 ? 'is used after all' : undefined;
  if (used === 0) return 'was not used';
  return indispensable ? undefined : 'is granted by something else, too';
}

/** One line for each grant that is not as the reasons say, and each reason for what nobody grants. */
export function findings(grants: readonly Grant[], given: readonly Reason[] = reasons): string[] {
  const byKey = Map.groupBy(
    given.flatMap((reason) => keysOf(reason).map((key) => ({ key, reason }))),
    ({ key }) => key,
  );
  const ofGrants = grants.flatMap((grant) => {
    const key = keyOf(grant);
    const finding = findingOf(grant, byKey.get(key)?.map(({ reason }) => reason) ?? []);
    return finding ? [`${key}: ${finding}`] : [];
  });
  const granted = new Set(grants.map(keyOf));
  const stale = [...byKey.keys()].filter((key) => !granted.has(key));
  return [...ofGrants, ...stale.map((key) => `${key}: has a reason, and nothing grants it`)];
}
