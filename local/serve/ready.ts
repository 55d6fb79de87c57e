import type { LocalError } from '../local-error.ts';
import type { Outputs, Product } from '../product.ts';

/** A service that answers. */
export interface Ready {
  /** What `outputs.json` has of the main stack; a given assembly may have less. */
  readonly outputs: Outputs & { readonly ConsoleUrl: string; readonly ApiKey?: string };
  /** Endpoint ids that have a service. */
  readonly endpoints: readonly string[];
  /** Each service with the number of its workers. */
  readonly workers: readonly string[];
  /** Resolves when the service cannot continue. */
  readonly died: Promise<LocalError>;
}

/** How many workers an endpoint has, for people. */
export function workersText(endpoint: string, count: number): string {
  const workers = `${endpoint}, ${count} ${count === 1 ? 'worker' : 'workers'} now`;
  return count === 0 ? `${workers}, started on demand` : workers;
}

/** Commands that submit a job and read it, to copy and paste. */
export function commandsToTry(product: Product, { outputs, endpoints }: Omit<Ready, 'died'>, key: string) {
  const [endpoint] = endpoints;
  return endpoint === undefined ? [] : product.commandsToTry(outputs, endpoint, key);
}

/**
 * The message of a service that is ready. It shows the secret of the key, which is the user's and of this machine only.
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
