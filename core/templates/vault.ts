/**
 * Write-only values that templates name: credentials of registries, and values of environment variables. Each is a
 * secret of AWS Secrets Manager; ECS alone reads it, with the execution role of a worker that starts.
 */

/** Secrets Manager refuses longer values; in bytes of UTF-8. */
export const LONGEST_VALUE = 65_536;

/** For how long a deleted secret can be restored, and its name is taken; the shortest time of Secrets Manager. */
export const RECOVERY_DAYS = 7;

interface VaultShelf {
  /** Below the name of the deployment. */
  readonly folder: string;
  readonly form: RegExp;
  /** The form in words, after "takes". */
  readonly formInWords: string;
}

export const shelves = {
  /** Named by a template's `containerRegistryAuthId`. */
  registryAuth: {
    folder: 'registry-auth',
    form: /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
    formInWords: '1 to 64 characters of a-z, 0-9 and - that neither begin nor end with -',
  },
  /** Named by `{{secrets:NAME}}` in a template's `env`. */
  env: {
    folder: 'env',
    form: /^[A-Za-z_][A-Za-z0-9_]{0,127}$/,
    formInWords: '1 to 128 characters of A-Z, a-z, 0-9 and _ that do not begin with a digit',
  },
} as const satisfies Readonly<Record<string, VaultShelf>>;

export type VaultKind = keyof typeof shelves;

/** AWS adds a hyphen and six characters to each name, and takes such an ending for its own. */
const AWS_SUFFIX = /-[a-z0-9]{6}$/i;

/** @returns why the text cannot be a name, in words that begin with it, or undefined if it can */
export function nameRefusal(kind: VaultKind, name: string): string | undefined {
  const { form, formInWords } = shelves[kind];
  if (!form.test(name)) return `${JSON.stringify(name.slice(0, 80))} is no name: it takes ${formInWords}`;
  if (AWS_SUFFIX.test(name))
    return `${JSON.stringify(name)} ends with - and six characters, which AWS would take for the end of an ARN`;
  return undefined;
}

/**
 * Returns the name in Secrets Manager. It begins with the deployment, so that a role can be granted its secrets alone.
 */
export const secretNameOf = (deployment: string, kind: VaultKind, name: string): string =>
  `${deployment}/${shelves[kind].folder}/${name}`;

export type EnvValue =
  | { readonly is: 'text' }
  | { readonly is: 'secret'; readonly name: string }
  /** `why` is a part of a sentence and does not repeat the value. */
  | { readonly is: 'refused'; readonly why: string };

const REFERENCE = /^\{\{secrets:([^{}]*)\}\}$/;
/** A text that looks like a reference. */
const ATTEMPT = /\{\{\s*secrets\s*:/i;

/** Parses a value of a template's `env`: ECS puts a secret in place of a whole value, and never into a text. */
export function readEnvValue(value: string): EnvValue {
  const [, name] = REFERENCE.exec(value) ?? [];
  if (name !== undefined) {
    const why = nameRefusal('env', name);
    return why === undefined ? { is: 'secret', name } : { is: 'refused', why };
  }
  if (!ATTEMPT.test(value)) return { is: 'text' };
  return { is: 'refused', why: 'a secret is the whole value, as in {{secrets:NAME}}: it cannot be a part of one' };
}

/** A secret without its value. */
export interface VaultEntry {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** When it got its present value. */
  readonly changedAt: number;
}

export interface Vault {
  /** Returns the ARN of the secret, or undefined if it does not exist or is deleted and can still be restored. */
  find(kind: VaultKind, name: string): Promise<string | undefined>;
  /** Returns all secrets of the kind, by name. */
  list(kind: VaultKind): Promise<readonly VaultEntry[]>;
  /** @throws VaultRefusal if the name is taken, also by a deleted secret */
  create(kind: VaultKind, name: string, value: string): Promise<void>;
  /**
   * Gives the secret another value, which workers that start later get.
   * @throws VaultRefusal if it does not exist
   */
  replace(kind: VaultKind, name: string, value: string): Promise<void>;
  /**
   * @returns until when it can be restored, in milliseconds since the epoch
   * @throws VaultRefusal if it does not exist
   */
  remove(kind: VaultKind, name: string): Promise<number>;
  /** @throws VaultRefusal if no secret of the name can be restored */
  restore(kind: VaultKind, name: string): Promise<void>;
}

/** A refused operation on a secret; the message says why, and never contains the value. */
export class VaultRefusal extends Error {}

export const secretMissing = (name: string): VaultRefusal => new VaultRefusal(`There is no ${name}.`);

export const secretExists = (name: string): VaultRefusal =>
  new VaultRefusal(`${name} exists already: \`rotate\` gives it another value.`);

export const secretDeleted = (name: string): VaultRefusal =>
  new VaultRefusal(
    `${name} was deleted, and its name is taken for ${RECOVERY_DAYS} days from then on: \`restore\` restores it, and \`rotate\` gives it another value.`,
  );
