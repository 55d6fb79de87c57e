/**
 * The facts about the product whose stacks this folder runs. Only `gpu-endpoints.ts` contains the name of a stack,
 * an output, a variable or a program of the product, and `command.ts` passes the facts on.
 */
import type { ConsoleBuild } from './serve/console.ts';
import type { CdkApp } from './synthesis/synthesize.ts';

/** Outputs of a stack, by name. */
export type Outputs = Readonly<Record<string, unknown>>;

type Variables = Readonly<Record<string, string>>;

export interface Product {
  readonly name: string;
  /** Absolute path of the repository. Its programs, and the commands of its containers, run there. */
  readonly folder: string;
  readonly app: CdkApp;
  readonly policies: AccountPolicies;
  /** Id of the stack whose outputs contain the addresses of the service. */
  readonly mainStack: string;
  readonly console: ConsoleBuild;
  readonly containers: WorkerContainers;
  /** Returns the endpoint of a stack; undefined for a stack without workers of an endpoint. */
  endpointOf(stackId: string): string | undefined;
  /**
   * Returns the variables of a function or container, with the networks that webhooks can reach on this machine.
   */
  withLocalNetworks(variables: Variables, networks: string): Variables;
  /** Returns the account data that custom resources read, by resource type. */
  accountReads(limits: { readonly concurrency: number }): Variables;
  /**
   * Returns the arguments of Node.js for the command that creates the first API key and prints it as JSON;
   * undefined for stacks without keys.
   */
  firstKeyCommand(outputs: Outputs): readonly string[] | undefined;
  /** The slowest request bodies that are read, and the answer to slower ones. */
  readonly slowBodies: SlowBodies;
  /**
   * Names of the errors by which a function asks its caller to call it again, such as an attempt that failed at a
   * receiver. They are in the log of the function only.
   */
  readonly repeatErrors: readonly string[];
  /**
   * Returns the arguments of Node.js for the command that lets an endpoint start workers again; undefined for stacks
   * without endpoints.
   */
  resumeCommand(outputs: Outputs, endpoint: string): readonly string[] | undefined;
  /** Returns the command that creates a secret with this name in the local Secrets Manager. */
  secretCommand(name: string): string;
  /** Returns the addresses to print, by name. */
  addresses(outputs: Outputs): readonly (readonly [name: string, url: string])[];
  /** Returns commands that submit a job and read it; none for stacks without a job interface. */
  commandsToTry(outputs: Outputs, endpoint: string, key: string): readonly string[];
}

/** The managed policies that a user creates in the account before a deployment. */
export interface AccountPolicies {
  /** Paths of the documents, relative to `folder`, by the name of the policy. */
  readonly documents: Readonly<Record<string, string>>;
  /** What the names of resources begin with in AWS, before the ids of their stacks. */
  readonly prefix: string;
}

/** Limits of request bodies that this machine reads in place of API Gateway. */
export interface SlowBodies {
  /** Maximum time without a byte, in milliseconds. */
  readonly stall: number;
  /** Minimum bytes per second after the first `stall`. */
  readonly rate: number;
  /**
   * Returns the JSON of the response, whose status is 408.
   * @param received bytes that arrived
   */
  answer(received: number, requestId: string): string;
}

/** How the containers of a worker find each other. */
export interface WorkerContainers {
  /** Variable with the port of the agent. Addresses in other variables can contain the port too. */
  readonly agentPort: string;
  /** Variable with the port of the user's server. */
  readonly serverPort: string;
  /** Returns the user's container, which an attached command replaces. */
  userContainer<Its>(containers: readonly Its[]): Its | undefined;
}
