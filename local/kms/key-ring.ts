/** The keys of KMS on this machine. A later run can decrypt what they have encrypted. */
import { randomBytes } from 'node:crypto';
import { arn } from '../account.ts';
import type { StateDirectory } from '../state/state-directory.ts';

const FILE = 'kms.json';
const KEY_BYTES = 32;

export const keyArn = (id: string): string => arn('kms', `key/${id}`);

export interface KeyRing {
  /** Creates the key unless an earlier run has. */
  declare(id: string): void;
  /** The material of a key that was declared in this run. */
  material(id: string): Buffer | undefined;
}

/** @param state stores the material, readable by this user alone; without it the keys end with the process */
export function createKeyRing(state?: Pick<StateDirectory, 'readJson' | 'writeJson'>): KeyRing {
  /** In base64, by id. */
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
