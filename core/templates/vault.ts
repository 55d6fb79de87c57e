/**
 * What templates name and nobody reads back: credentials of registries, and values of environment variables. Each is a
 * secret of AWS Secrets Manager; ECS alone reads it, with the execution role of a worker that starts.
 */

/** Longer values are refused by Secrets Manager; in bytes of UTF-8. */
export const LONGEST_VALUE = 65_536;

/** For how long what was deleted can be brought back, and its name is taken; the least that Secrets Manager has. */
export const RECOVERY_DAYS = 7;

interface VaultShelf {
  /** Below the name of the deployment. */
  readonly folder: string;
  readonly form: RegExp;
  /** The form in words, after "takes". */
  readonly formInWords: string;
}

export const shelves = {
  /** What a template's `containerRegistryAuthId` names. */
  registryAuth: {
    folder: 'registry-auth',
    form: /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
    formInWords: '1 to 64 characters of a-z, 0-9 and - that neither begin nor end with -',
  },
  /** What `{{secrets:NAME}}` in a template's `env` names. */
  env: {
    folder: 'env',
    form: /^[A-Za-z_][A-Za-z0-9_]{0,127}$/,
    formInWords: '1 to 128 characters of A-Z, a-z, 0-9 and _ that do not begin with a digit',
  },
} as const satisfies Readonly<Record<string, VaultShelf>>;

export type VaultKind = keyof typeof shelves;

/** AWS puts a hyphen and six characters after each name, and takes an end like that for its own. */
const AWS_SUFFIX = /-[a-z0-9]{6}$/i;

/** @returns why it cannot be a name, in words that begin with it; nothing if it can */
export function nameRefusal(kind: VaultKind, name: string): string | undefined {
  const { form, formInWords } = shelves[kind];
  if (!form.test(name)) return `${JSON.stringify(name.slice(0, 80))} is no name: it takes ${formInWords}`;
  if (AWS_SUFFIX.test(name))
    return `${JSON.stringify(name)} ends with - and six characters, which AWS would take for the end of an ARN`;
  return undefined;
}

/**
 * As Secrets Manager calls it. Names of other deployments begin otherwise, so that roles can be granted these and no others.
 */
export const secretNameOf = (deployment: string, kind: VaultKind, name: string): string =>
  `${deployment}/${shelves[kind].folder}/${name}`;

export type EnvValue =
  | { readonly is: 'text' }
  | { readonly is: 'secret'; readonly name: string }
  /** `why` is a part of a sentence and does not repeat the value. */
  | { readonly is: 'refused'; readonly why: string };

const REFERENCE = /^\{\{secrets:([^{}]*)\}\}$/;
/** What somebody means to be a reference. */
const ATTEMPT = /\{\{\s*secrets\s*:/i;

/** What a value in a template's `env` is: ECS puts a secret in place of a whole value, and never into a text. */
export function readEnvValue(value: string): EnvValue {
  const [, name] = REFERENCE.exec(value) ?? [];
  if (name !== undefined) {
    const why = nameRefusal('env', name);
    return why === undefined ? { is: 'secret', name } : { is: 'refused', why };
  }
  if (!ATTEMPT.test(value)) return { is: 'text' };
  return { is: 'refused', why: 'a secret is the whole value, as in {{secrets:NAME}}: it cannot be a part of one' };
}

/** What is told of a secret: never its value. */
export interface VaultEntry {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** When it got the value that it has. */
  readonly changedAt: number;
}

export interface Vault {
  /** The ARN of the secret; nothing if there is none, or one that is deleted and can still be brought back. */
  find(kind: VaultKind, name: string): Promise<string | undefined>;
  /** All of the kind, by name. */
  list(kind: VaultKind): Promise<readonly VaultEntry[]>;
  /** @throws VaultRefusal if the name is taken, be it by one that is deleted */
  create(kind: VaultKind, name: string, value: string): Promise<void>;
  /**
   * Gives it another value, for those who read it from then on.
   * @throws VaultRefusal if there is none
   */
  replace(kind: VaultKind, name: string, value: string): Promise<void>;
  /**
   * @returns until when it can be brought back, in milliseconds since the epoch
   * @throws VaultRefusal if there is none
   */
  remove(kind: VaultKind, name: string): Promise<number>;
  /** @throws VaultRefusal if nothing of the name can be brought back */
  restore(kind: VaultKind, name: string): Promise<void>;
}

/** What cannot be done with a secret; the message says why, and never holds the value. */
export class VaultRefusal extends Error {}

export const secretMissing = (name: string): VaultRefusal => new VaultRefusal(`There is no ${name}.`);

export const secretExists = (name: string): VaultRefusal =>
  new VaultRefusal(`${name} is there already: \`rotate\` gives it another value.`);

export const secretDeleted = (name: string): VaultRefusal =>
  new VaultRefusal(
    `${name} was deleted, and its name is taken for ${RECOVERY_DAYS} days from then on: \`restore\` brings it back, and \`rotate\` gives it another value.`,
  );
