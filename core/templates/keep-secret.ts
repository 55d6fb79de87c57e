/** Operations on the vault that validate their arguments. */
import { MAX_VALUE_BYTES, nameRefusal, type Vault, type VaultKind, VaultRefusal } from './vault.ts';

export interface RegistryLogin {
  readonly username: string;
  readonly password: string;
}

/** Returns a registry login in the JSON form that ECS reads. */
export const loginAsValue = ({ username, password }: RegistryLogin): string => JSON.stringify({ username, password });

function checkName(kind: VaultKind, name: string): void {
  const reason = nameRefusal(kind, name);
  if (reason !== undefined) throw new VaultRefusal(`${reason}.`);
}

function checkValue(value: string): void {
  if (value === '') throw new VaultRefusal('The value is empty.');
  // Environment variables cannot contain a zero byte.
  if (value.includes('\0'))
    throw new VaultRefusal('The value contains a zero byte, which environment variables do not allow.');
  const bytes = new TextEncoder().encode(value).length;
  if (bytes > MAX_VALUE_BYTES)
    throw new VaultRefusal(`The value has ${bytes} bytes; at most ${MAX_VALUE_BYTES} are allowed.`);
}

/**
 * Stores a secret with a new name.
 * @throws VaultRefusal
 */
export async function createSecret(vault: Vault, kind: VaultKind, name: string, value: string): Promise<void> {
  checkName(kind, name);
  checkValue(value);
  await vault.create(kind, name, value);
}

/**
 * Sets another value of a secret. Running workers keep the value with which they started.
 * @throws VaultRefusal
 */
export async function replaceSecret(vault: Vault, kind: VaultKind, name: string, value: string): Promise<void> {
  checkName(kind, name);
  checkValue(value);
  await vault.replace(kind, name, value);
}

/**
 * Removes a secret, even if templates refer to it. Workers of such templates can no longer start.
 * @returns until when the secret can be restored, in milliseconds since the epoch
 * @throws VaultRefusal
 */
export async function removeSecret(vault: Vault, kind: VaultKind, name: string): Promise<number> {
  checkName(kind, name);
  return vault.remove(kind, name);
}

/**
 * Restores a deleted secret, with the value that it had.
 * @throws VaultRefusal
 */
export async function restoreSecret(vault: Vault, kind: VaultKind, name: string): Promise<void> {
  checkName(kind, name);
  if (await vault.find(kind, name)) throw new VaultRefusal(`${name} is not deleted, so it cannot be restored.`);
  await vault.restore(kind, name);
}
