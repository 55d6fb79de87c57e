/**
 * Write-only values that templates refer to: registry logins and values of environment variables. Each value is a
 * secret in AWS Secrets Manager. Only ECS reads it, with the execution role of a starting worker.
 */

/** Maximum length of a value in Secrets Manager, in bytes of UTF-8. */
export const MAX_VALUE_BYTES = 65_536;

/** Time for which a deleted secret can be restored and its name is taken: the minimum of Secrets Manager. */
export const RECOVERY_DAYS = 7;

interface SecretKind {
  /** Path below the name of the deployment. */
  readonly folder: string;
  readonly form: RegExp;
  /** Description of the form, which completes "must be". */
  readonly formDescription: string;
}

export const secretKinds = {
  /** Used by a template's `containerRegistryAuthId`. */
  registryAuth: {
    folder: 'registry-auth',
    form: /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
    formDescription: '1 to 64 characters of a-z, 0-9 and - that neither begin nor end with -',
  },
  /** Used by `{{secrets:NAME}}` in a template's `env`. */
  env: {
    folder: 'env',
    form: /^[A-Za-z_][A-Za-z0-9_]{0,127}$/,
    formDescription: '1 to 128 characters of A-Z, a-z, 0-9 and _ that do not begin with a digit',
  },
} as const satisfies Readonly<Record<string, SecretKind>>;

export type VaultKind = keyof typeof secretKinds;

/** AWS appends a hyphen and six characters to each name, and misinterprets names with such an ending. */
const AWS_SUFFIX = /-[a-z0-9]{6}$/i;

/**
 * Checks a name.
 * @returns a sentence that begins with the name and contains the reason, or undefined if the name is valid
 */
export function nameRefusal(kind: VaultKind, name: string): string | undefined {
  const { form, formDescription } = secretKinds[kind];
  if (!form.test(name))
    return `${JSON.stringify(name.slice(0, 80))} is not a valid name: a name must be ${formDescription}`;
  if (AWS_SUFFIX.test(name))
    return `${JSON.stringify(name)} ends with - and six characters, which AWS would interpret as the end of an ARN`;
  return undefined;
}

/**
 * Returns the name in Secrets Manager. It begins with the deployment, so that a role can be granted only these
 * secrets.
 */
export const secretNameOf = (deployment: string, kind: VaultKind, name: string): string =>
  `${deployment}/${secretKinds[kind].folder}/${name}`;

export type EnvValue =
  | { readonly is: 'text' }
  | { readonly is: 'secret'; readonly name: string }
  /** A refused value. `reason` is part of a sentence and does not repeat the value. */
  | { readonly is: 'refused'; readonly reason: string };

const REFERENCE = /^\{\{secrets:([^{}]*)\}\}$/;
/** Form of a string that looks like a reference. */
const ATTEMPT = /\{\{\s*secrets\s*:/i;

/** Parses a value of a template's `env`. ECS only replaces whole values by secrets. */
export function readEnvValue(value: string): EnvValue {
  const [, name] = REFERENCE.exec(value) ?? [];
  if (name !== undefined) {
    const reason = nameRefusal('env', name);
    return reason === undefined ? { is: 'secret', name } : { is: 'refused', reason };
  }
  if (!ATTEMPT.test(value)) return { is: 'text' };
  return { is: 'refused', reason: 'a secret must be the whole value, as in {{secrets:NAME}}' };
}

/** A secret without its value. */
export interface VaultEntry {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** When the current value was set. */
  readonly changedAt: number;
}

export interface Vault {
  /** Returns the ARN of the secret, or undefined if it does not exist or is deleted. */
  find(kind: VaultKind, name: string): Promise<string | undefined>;
  /** Returns all secrets of the kind, sorted by name. */
  list(kind: VaultKind): Promise<readonly VaultEntry[]>;
  /**
   * Stores a secret with a new name.
   * @throws VaultRefusal if the name is taken, including by a deleted secret
   */
  create(kind: VaultKind, name: string, value: string): Promise<void>;
  /**
   * Sets another value of the secret, which workers get when they start.
   * @throws VaultRefusal if it does not exist
   */
  replace(kind: VaultKind, name: string, value: string): Promise<void>;
  /**
   * Deletes a secret.
   * @returns until when the secret can be restored, in milliseconds since the epoch
   * @throws VaultRefusal if it does not exist
   */
  remove(kind: VaultKind, name: string): Promise<number>;
  /**
   * Restores a deleted secret, with the value that it had.
   * @throws VaultRefusal if no secret with the name can be restored
   */
  restore(kind: VaultKind, name: string): Promise<void>;
}

/** Thrown if an operation on a secret is refused. The message contains the reason, but never the value. */
export class VaultRefusal extends Error {
  override readonly name = 'VaultRefusal';
}

export const secretMissing = (name: string): VaultRefusal => new VaultRefusal(`${name} does not exist.`);

export const secretExists = (name: string): VaultRefusal =>
  new VaultRefusal(`${name} already exists: use \`rotate\` to change its value.`);

export const secretDeleted = (name: string): VaultRefusal =>
  new VaultRefusal(
    `${name} was deleted, and its name is taken for ${RECOVERY_DAYS} days after the deletion: use \`restore\`, then \`rotate\` to change its value.`,
  );
