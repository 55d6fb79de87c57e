/** The secrets of Secrets Manager on this machine, which outlive a restart. */
import { randomBytes } from 'node:crypto';
import { arn } from '../account.ts';
import type { StateDirectory } from '../state/state-directory.ts';

const FILE = 'secrets.json';

/** Length of the suffix that AWS adds to a name, so that a recreated secret has another ARN. */
const SUFFIX_CHARACTERS = 6;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export interface SecretVersion {
  /** Token of the request that created the version. */
  readonly id: string;
  readonly value: string;
  /** Time of creation, in milliseconds since 1970. */
  readonly createdAt: number;
}

export interface Secret {
  readonly name: string;
  readonly arn: string;
  readonly description?: string;
  readonly tags: readonly { readonly Key: string; readonly Value: string }[];
  /** Time of creation, in milliseconds since 1970. */
  readonly createdAt: number;
  readonly current: SecretVersion;
  readonly previous?: SecretVersion;
  /** Time when a deleted secret is removed. */
  readonly goneAt?: number;
}

export interface SecretStore {
  /**
   * Finds a secret.
   * @param id a name, an ARN, or an ARN without the suffix
   */
  find(id: string): Secret | undefined;
  /** Returns the secrets, sorted by name. */
  list(): readonly Secret[];
  put(secret: Secret): void;
  remove(secret: Secret): void;
}

/** Returns the ARN of a secret without the suffix. */
export const partialArn = (name: string): string => arn('secretsmanager', `secret:${name}`);

function newSuffix(): string {
  // 208 is the largest multiple of 52 below 256, so every character is equally likely.
  const letters = [...randomBytes(16 * SUFFIX_CHARACTERS)].filter((byte) => byte < 208);
  return letters
    .slice(0, SUFFIX_CHARACTERS)
    .map((byte) => ALPHABET.charAt(byte % ALPHABET.length))
    .join('');
}

export const newArn = (name: string): string => `${partialArn(name)}-${newSuffix()}`;

/**
 * Creates the store.
 * @param state stores the secrets, readable by this user only; without it they last until the process exits
 * @param now milliseconds since 1970
 */
export function createSecretStore(
  state?: Pick<StateDirectory, 'readJson' | 'writeJson'>,
  now: () => number = Date.now,
): SecretStore {
  const stored = new Map((state?.readJson<Secret[]>(FILE) ?? []).map((secret) => [secret.name, secret]));
  const present = () => [...stored.values()].filter(({ goneAt = Number.POSITIVE_INFINITY }) => goneAt > now());
  const write = () => state?.writeJson(FILE, present());

  return {
    find: (id) => present().find((secret) => [secret.name, secret.arn, partialArn(secret.name)].includes(id)),
    list: () => present().toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    put(secret) {
      stored.set(secret.name, secret);
      write();
    },
    remove({ name }) {
      stored.delete(name);
      write();
    },
  };
}
