/** References from templates to secrets and registry logins in the vault. */

import type { TemplateScope } from '../operations/routes.ts';
import { InvalidRequest, SecretsNotPermitted } from '../requests/errors.ts';
import type { TemplateChanges } from './settings.ts';
import type { TemplatePorts } from './store.ts';
import { readEnvValue } from './vault.ts';

type References = Pick<TemplateChanges, 'containerRegistryAuthId' | 'env'>;

/**
 * The scope that a caller needs to refer to secrets, because a template's `env` can access every secret of the
 * vault.
 */
const SCOPE: TemplateScope = 'templates:secrets';

const secretsIn = (env: References['env'] = {}): ReadonlySet<string> =>
  new Set(
    Object.values(env)
      .map(readEnvValue)
      .flatMap((read) => (read.is === 'secret' ? [read.name] : [])),
  );

/** Returns the references as strings of kind and name. */
const namesIn = ({ containerRegistryAuthId: auth, env }: References): string[] => [
  ...(auth === undefined ? [] : [`the registry login \`${auth}\``]),
  ...[...secretsIn(env)].map((name) => `the secret \`${name}\``),
];

/**
 * Checks that a caller may add the references of a request. Existing references of the template need no scope.
 * @param scopes of the caller
 * @throws SecretsNotPermitted with the refused references, without revealing whether they exist
 */
export function assertMayName(scopes: readonly string[], request: References, present: References = {}): void {
  if (scopes.includes(SCOPE)) return;
  const known = new Set(namesIn(present));
  const added = namesIn(request).filter((name) => !known.has(name));
  if (added.length > 0) throw new SecretsNotPermitted(added.join(' and '));
}

/**
 * Refuses settings that refer to secrets or logins that do not exist.
 * @throws InvalidRequest
 */
export async function assertReferences(
  { vault }: Pick<TemplatePorts, 'vault'>,
  { containerRegistryAuthId: auth, env }: References,
): Promise<void> {
  if (auth !== undefined && (await vault.find('registryAuth', auth)) === undefined)
    throw new InvalidRequest(
      `\`containerRegistryAuthId\` must be an existing id, got \`${auth}\`; \`npx gpu-endpoints registry ls\` shows all ids.`,
    );
  const found = await Promise.all(
    [...secretsIn(env)].map(async (name) => [name, await vault.find('env', name)] as const),
  );
  const missing = found.filter(([, arn]) => arn === undefined).map(([name]) => `\`${name}\``);
  if (missing.length > 0)
    throw new InvalidRequest(
      `\`env\` names secrets that do not exist: ${missing.join(', ')}; \`npx gpu-endpoints secrets ls\` shows all secrets.`,
    );
}
