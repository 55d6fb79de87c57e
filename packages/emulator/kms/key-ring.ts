/** The keys of KMS on this machine. A later run can decrypt data of earlier runs. */
import { randomBytes } from 'node:crypto';
import { arn } from '../account.ts';
import type { StateDirectory } from '../state/state-directory.ts';

const FILE = 'kms.json';
const KEY_BYTES = 32;

type Tags = Readonly<Record<string, string>>;

export const keyArn = (id: string): string => arn('kms', `key/${id}`);

export interface KeyRing {
  /**
   * Creates the key unless an earlier run has created it.
   * @param tags of the key, by name
   */
  declare(id: string, tags?: Tags): void;
  /** Returns the tags of a key that was declared in this run. */
  tags(id: string): Tags;
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
  const tagsOf = new Map<string, Tags>();
  return {
    declare(id, tags = {}) {
      tagsOf.set(id, tags);
      const material = Object.hasOwn(stored, id) ? stored[id] : undefined;
      if (material === undefined) {
        stored[id] = randomBytes(KEY_BYTES).toString('base64');
        state?.writeJson(FILE, stored);
      }
      declared.set(id, Buffer.from(stored[id] ?? '', 'base64'));
    },
    tags: (id) => tagsOf.get(id) ?? {},
    material: (id) => declared.get(id),
  };
}
