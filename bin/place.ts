/** Which deployment a command is for: a deployed stack, or the one of `npm start`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from './key-arguments.ts';

export const placeOptions = {
  table: { type: 'string' },
  outputs: { type: 'string', default: 'outputs.json' },
  local: { type: 'boolean', default: false },
} as const;

export interface Place {
  readonly table?: string;
  readonly outputs: string;
  readonly local: boolean;
}

type Output =
  | 'DeadlinesTable'
  | 'DeliveriesTable'
  | 'DeliveryMachine'
  | 'EndpointsTable'
  | 'JobsTable'
  | 'KeysTable'
  | 'SecretsKey'
  | 'SigningTable';

interface Platform extends Readonly<Partial<Record<Output, string>>> {
  /** Of the local stack: how to call what stands in for AWS. */
  readonly AwsEnvironment?: Readonly<Record<string, string>>;
}

function platformIn(file: string, remedy: string): Platform {
  if (!existsSync(file)) throw new UsageError(`There is no ${file}: ${remedy}.`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { Platform?: Platform }).Platform ?? {};
}

/** An address or a profile in the user's own environment would win over what the local stack says. */
function useEnvironment(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, environment);
}

/**
 * The outputs of the deployment with these names. From then on calls to AWS go to it.
 * @throws UsageError that says what to do
 */
export function outputsOf<Name extends Output>(
  { outputs, local }: Place,
  names: readonly Name[],
  otherwise = '',
): Record<Name, string> {
  const file = local ? join(process.env.LOCAL_STATE_DIR || '.local', 'outputs.json') : outputs;
  const remedy = local ? 'run `npm start` in another terminal' : `deploy with --outputs-file ${file}${otherwise}`;
  const platform = platformIn(file, remedy);
  const found = names.map((name) => {
    const value = platform[name];
    if (!value) throw new UsageError(`${file} has no Platform.${name}: ${remedy}.`);
    return [name, value] as const;
  });
  if (platform.AwsEnvironment) useEnvironment(platform.AwsEnvironment);
  return Object.fromEntries(found) as Record<Name, string>;
}

/**
 * @param output names the table among the outputs
 * @throws UsageError that says what to do
 */
export function tableOf({ table, ...place }: Place, output: Output): string {
  return table || outputsOf(place, [output], ', or say --table')[output];
}
