import type { LocalError } from '../local-error.ts';
import type { Outputs, Product } from '../product.ts';

/** A service that is ready for requests. */
export interface Ready {
  /** The values of the main stack in `outputs.json`; a given assembly can have fewer. */
  readonly outputs: Outputs & { readonly ConsoleUrl: string; readonly ApiKey?: string };
  /** Ids of the endpoints that have a service. */
  readonly endpoints: readonly string[];
  /** Each endpoint with the number of its workers. */
  readonly workers: readonly string[];
  /** Resolves with the reason when the service cannot continue. */
  readonly died: Promise<LocalError>;
}

/**
 * Describes the number of an endpoint's workers.
 * @param missing names of the secrets without which no worker can start
 */
export function workersText(
  product: Pick<Product, 'secretCommand'>,
  endpoint: string,
  count: number,
  missing: readonly string[] = [],
): string {
  if (missing.length > 0) {
    const commands = missing.map((name) => product.secretCommand(name)).join(' && ');
    return `${endpoint}, not ready: no worker can start without ${missing.join(', ')}; run ${commands}`;
  }
  const workers = `${endpoint}, ${count} ${count === 1 ? 'worker' : 'workers'} now`;
  return count === 0 ? `${workers}, started on demand` : workers;
}

/** Returns commands that submit a job and read it, to copy and paste. */
export function commandsToTry(product: Product, { outputs, endpoints }: Omit<Ready, 'died'>, key: string) {
  const [endpoint] = endpoints;
  return endpoint === undefined ? [] : product.commandsToTry(outputs, endpoint, key);
}

/**
 * Returns the message of a service that is ready. It shows the secret of the key, which belongs to the user and is
 * valid on this machine only.
 */
export function readyMessage(product: Product, ready: Ready): string {
  const { ConsoleUrl, ApiKey } = ready.outputs;
  const rows = [
    ...product.addresses(ready.outputs),
    ['Console', ConsoleUrl],
    ['API key', ApiKey],
    ...ready.workers.map((text) => ['Workers', text] as const),
  ] as const;
  const table = rows.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(14)}  ${value}`]));
  const commands = commandsToTry(product, ready, ApiKey ?? '');
  const example =
    commands.length > 0 ? ['', 'Submit a job, then read it:', ...commands.map((line) => `  ${line}`)] : [];
  return ['', ...table, ...example, '', 'Ctrl-C stops everything.'].join('\n');
}
