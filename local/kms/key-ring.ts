/** The keys of KMS on this machine. A later run can decrypt data of earlier runs. */
import { randomBytes } from 'node:crypto';
import { arn } from '../account.ts';
import type { StateDirectory } from '../state/state-directory.ts';

const FILE = 'kms.json';
const KEY_BYTES = 32;

export const keyArn = (id: string): string => arn('kms', `key/${id}`);

export interface KeyRing {
  /** Creates the key unless an earlier run has created it. */
  declare(id: string): void;
  /** Returns the material of a key that was declared in this run. */
  material(id: string): Buffer | undefined;
}

/**
 * Creates the key ring.
 * @param state stores the material, readable by this user only; without it the keys last until the process exits
 */
export function createKeyRing(state?: Pick<StateDirectory, 'readJson' | 'writeJson'>): KeyRing {
  /** Key material in base64, by key id. */
  const stored = state?.readJson<Record<string, string>>(FILE) ?? {};
  const declared = new Map<string, Buffer>();
  return {
    declare(id) {
      const material = Object.hasOwn(stored, id) ? stored[id] : undefined;
      if (material === undefined) {
        stored[id] = randomBytes(KEY_BYTES).toString('base64');
        state?.writeJson(FILE, stored);
      }
      declared.set(id, Buffer.from(stored[id] ?? '', 'base64'));
    },
    material: (id) => declared.get(id),
  };
}
