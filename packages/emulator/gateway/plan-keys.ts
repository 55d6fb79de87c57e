/** The keys of usage plans, which are stored between runs, like the custom resources that add them. */
import type { StateDirectory } from '../state/state-directory.ts';

export interface PlanKeys {
  has(planId: string, keyId: string): boolean;
  add(planId: string, keyId: string): void;
  remove(planId: string, keyId: string): void;
}

const FILE = 'usage-plan-keys.json';

/**
 * @param state where the keys are stored; by default, they are not stored
 */
export function createPlanKeys(state?: Pick<StateDirectory, 'readJson' | 'writeJson'>): PlanKeys {
  const stored = new Set(state?.readJson<readonly string[]>(FILE) ?? []);
  const nameOf = (planId: string, keyId: string) => `${planId}/${keyId}`;
  const save = () => state?.writeJson(FILE, [...stored]);
  return {
    has: (planId, keyId) => stored.has(nameOf(planId, keyId)),
    add(planId, keyId) {
      stored.add(nameOf(planId, keyId));
      save();
    },
    remove(planId, keyId) {
      stored.delete(nameOf(planId, keyId));
      save();
    },
  };
}
