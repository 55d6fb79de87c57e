/** What a template names in the vault. */
import { InvalidRequest } from '../errors.ts';
import type { TemplateChanges } from './settings.ts';
import { readEnvValue } from './vault.ts';
import type { TemplateWorld } from './world.ts';

/** @throws InvalidRequest if what is named is not there */
export async function assertReferences(
  { vault }: Pick<TemplateWorld, 'vault'>,
  { containerRegistryAuthId: auth, env = {} }: TemplateChanges,
): Promise<void> {
  if (auth !== undefined && (await vault.find('registryAuth', auth)) === undefined)
    throw new InvalidRequest(
      `\`containerRegistryAuthId\` must be the id of a registry auth: \`${auth}\` is none; \`npm run registry-auth -- list\` shows them.`,
    );
  const reads = Object.values(env).map(readEnvValue);
  const names = new Set(reads.flatMap((read) => (read.is === 'secret' ? [read.name] : [])));
  const found = await Promise.all([...names].map(async (name) => [name, await vault.find('env', name)] as const));
  const missing = found.filter(([, arn]) => arn === undefined).map(([name]) => `\`${name}\``);
  if (missing.length > 0)
    throw new InvalidRequest(
      `\`env\` names secrets that are not there: ${missing.join(', ')}; \`npm run secrets -- list\` shows them.`,
    );
}
