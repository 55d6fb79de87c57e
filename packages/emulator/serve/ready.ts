import type { LocalError } from '../local-error.ts';
import type { Examples, Outputs, Product } from '../product.ts';
import { plainTexts } from './service-texts.ts';

/** A service that is ready for requests. */
export interface Ready {
  /** The values of the main stack in `outputs.json`; a given assembly can have fewer. */
  readonly outputs: Outputs;
  /** Names of the listed services. */
  readonly services: readonly string[];
  /** The state of each listed service. */
  readonly states: readonly string[];
  /** Resolves with the reason when the service cannot continue. */
  readonly died: Promise<LocalError>;
}

/** Returns commands to copy and paste, if the product has any. */
export const examplesOf = (
  product: Product,
  { outputs, services }: Omit<Ready, 'died'>,
  showsSecrets: boolean,
): Examples | undefined => product.examples?.(outputs, services, showsSecrets);

const allOutputs = (outputs: Outputs) => Object.entries(outputs).map(([name, value]) => [name, String(value)] as const);

/**
 * Returns the message of a service that is ready. It shows secrets, which belong to the user and are valid on this
 * machine only.
 */
export function readyMessage(product: Product, ready: Ready): string {
  const { title } = product.services ?? plainTexts;
  const facts = product.facts?.(ready.outputs) ?? allOutputs(ready.outputs);
  const rows = [...facts, ...ready.states.map((text) => [title, text] as const)];
  const table = rows.map(([name, value]) => `${name.padEnd(14)}  ${value}`);
  const examples = examplesOf(product, ready, true);
  const example = examples ? ['', examples.title, ...examples.commands.map((line) => `  ${line}`)] : [];
  const change = 'After a change of a file, stop and start again: data and queues are kept.';
  return ['', ...table, ...example, '', change, `Ctrl-C or \`kill ${process.pid}\` stops everything.`].join('\n');
}
