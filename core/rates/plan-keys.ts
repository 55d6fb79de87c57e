/** Which hidden keys are in which usage plans of API Gateway. A stack declares the keys of its plans. */

/** A key in a usage plan. */
export interface PlanKey {
  readonly keyId: string;
  readonly usagePlanId: string;
}

/** The keys of usage plans in API Gateway, which adds and removes them one at a time in an account and Region. */
export interface PlanKeys {
  /** Adds the key to the plan. A key that is already in the plan is a success. */
  add(planKey: PlanKey): Promise<void>;
  /** Removes the key from the plan. A key that is not in the plan, and a missing key or plan, are a success. */
  remove(planKey: PlanKey): Promise<void>;
}

const isEqual = (one: PlanKey, other: PlanKey) => one.keyId === other.keyId && one.usagePlanId === other.usagePlanId;

/**
 * Adds the keys that a stack declares, and removes those that it no longer declares. A repeated call changes nothing.
 * A key can be in only one plan of each stage, so keys are removed before others are added.
 * @param before keys that the stack declared before
 */
export async function changePlanKeys(
  planKeys: PlanKeys,
  before: readonly PlanKey[],
  after: readonly PlanKey[],
): Promise<void> {
  const obsolete = before.filter((each) => !after.some((kept) => isEqual(each, kept)));
  // API Gateway would refuse concurrent calls.
  for (const each of obsolete) await planKeys.remove(each);
  for (const each of after) await planKeys.add(each);
}
