/** The checked operations on the vault. */
import { LONGEST_VALUE, nameRefusal, type Vault, type VaultKind, VaultRefusal } from './vault.ts';

export interface RegistryLogin {
  readonly username: string;
  readonly password: string;
}

/** Returns the login in the form in which ECS reads the credentials of a registry. */
export const loginAsValue = ({ username, password }: RegistryLogin): string => JSON.stringify({ username, password });

function checkName(kind: VaultKind, name: string): void {
  const why = nameRefusal(kind, name);
  if (why !== undefined) throw new VaultRefusal(`${why}.`);
}

function checkValue(value: string): void {
  if (value === '') throw new VaultRefusal('The value is empty.');
  // The environment of a process cannot hold a zero byte.
  if (value.includes('\0'))
    throw new VaultRefusal('The value has a zero byte, which no environment variable can have.');
  const bytes = new TextEncoder().encode(value).length;
  if (bytes > LONGEST_VALUE) throw new VaultRefusal(`The value has ${bytes} bytes; ${LONGEST_VALUE} are the most.`);
}

/** @throws VaultRefusal */
export async function createSecret(vault: Vault, kind: VaultKind, name: string, value: string): Promise<void> {
  checkName(kind, name);
  checkValue(value);
  await vault.create(kind, name, value);
}

/**
 * Gives a secret another value. Workers that run keep the one that they were started with.
 * @throws VaultRefusal
 */
export async function replaceSecret(vault: Vault, kind: VaultKind, name: string, value: string): Promise<void> {
  checkName(kind, name);
  checkValue(value);
  await vault.replace(kind, name, value);
}

/**
 * Removes a secret, also if templates name it: workers of such a template can no longer start.
 * @returns until when it can be restored, in milliseconds since the epoch
 * @throws VaultRefusal
 */
export async function removeSecret(vault: Vault, kind: VaultKind, name: string): Promise<number> {
  checkName(kind, name);
  return vault.remove(kind, name);
}

/** @throws VaultRefusal */
export async function restoreSecret(vault: Vault, kind: VaultKind, name: string): Promise<void> {
  checkName(kind, name);
  if (await vault.find(kind, name)) throw new VaultRefusal(`${name} exists and is not deleted.`);
  await vault.restore(kind, name);
}
