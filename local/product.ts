/**
 * What this folder must know of the product whose stacks it runs. `main.ts` passes it in: no other file names a stack,
 * an output, a variable or a program of the product.
 */
import type { ConsoleBuild } from './serve/console.ts';
import type { CdkApp } from './synthesis/synthesize.ts';

/** Outputs of a stack, by name. */
export type Outputs = Readonly<Record<string, unknown>>;

type Variables = Readonly<Record<string, string>>;

export interface Product {
  readonly name: string;
  /** Absolute path of the repository: its programs and the commands of its containers run there. */
  readonly folder: string;
  readonly app: CdkApp;
  /** Id of the stack whose outputs list the addresses of the service. */
  readonly mainStack: string;
  readonly console: ConsoleBuild;
  readonly containers: WorkerContainers;
  /** The endpoint that the stack is for; undefined for a stack without workers of an endpoint. */
  endpointOf(stackId: string): string | undefined;
  /** The variables of a function or container, with the networks that webhooks may reach on this machine. */
  withLocalNetworks(variables: Variables, networks: string): Variables;
  /** What custom resources read of the account, by resource type. */
  accountReads(limits: { readonly concurrency: number }): Variables;
  /** Arguments of Node.js that create the first API key and print it as JSON; undefined for stacks without keys. */
  firstKeyCommand(outputs: Outputs): readonly string[] | undefined;
  /** Addresses to print, by name. */
  addresses(outputs: Outputs): readonly (readonly [name: string, url: string])[];
  /** Commands that submit a job and read it; none for stacks without a job interface. */
  commandsToTry(outputs: Outputs, endpoint: string, key: string): readonly string[];
}

/** How the containers of a worker find each other. */
export interface WorkerContainers {
  /** Variable with the port of the agent. Addresses in other variables may contain it. */
  readonly agentPort: string;
  /** Variable with the port of the user's server. */
  readonly serverPort: string;
  /** The container of the user, which an attached command replaces. */
  userContainer<Its>(containers: readonly Its[]): Its | undefined;
}
