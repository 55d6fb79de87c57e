/**
 * The description of the CDK app that this folder runs: what its templates do not say. Everything but the app itself
 * is optional.
 */
import type { SiteBuild } from './serve/late-site.ts';
import type { ServiceTexts } from './serve/service-texts.ts';
import type { CdkApp } from './synthesis/synthesize.ts';

/** Outputs of a stack, by name. */
export type Outputs = Readonly<Record<string, unknown>>;

export type Variables = Readonly<Record<string, string>>;

/** The arguments of Node.js for a command, which runs in the folder of the product. */
export type Command = readonly string[];

export interface Product {
  readonly name: string;
  /** Absolute path of the product's own files. Its programs, and the commands of its containers, run there. */
  readonly folder: string;
  readonly app: CdkApp;
  /**
   * The command that runs this product, as the user types it before options.
   * @default - npm start --
   */
  readonly command?: string;
  /**
   * Command that opens the web page in a browser and signs the user in, as the user types it.
   * @default - none
   */
  readonly openCommand?: string;
  /**
   * Managed policies that a user creates in the account before a deployment.
   * @default - none
   */
  readonly policies?: AccountPolicies;
  /**
   * Id of the stack whose outputs contain the addresses of the service.
   * @default - the stack that is deployed last
   */
  readonly mainStack?: string;
  /**
   * A web page in a bucket that is built when it is opened.
   * @default - all files of buckets are assets of the stacks
   */
  readonly site?: SiteBuild;
  /**
   * How the containers of a task find each other.
   * @default - containers keep their variables
   */
  readonly containers?: TaskContainers;
  /**
   * The list of images that the app brings.
   * @default - only the list of the user
   */
  readonly images?: ImageList;
  /**
   * Which services the start lists, and how it describes them.
   * @default - all services, by the ids of their stacks
   */
  readonly services?: ServiceTexts;
  /**
   * Help of the environment variables that this description reads, in the layout of `options.ts`.
   * @default - none
   */
  readonly settings?: string;
  /**
   * Returns the variables of a function or container on this machine.
   * @default - those of the template
   */
  localVariables?(variables: Variables): Variables;
  /**
   * Returns the account data that custom resources read, by resource type.
   * @default - none
   */
  accountReads?(limits: { readonly concurrency: number }): Variables;
  /**
   * Returns a command that runs one time for a state directory, when the main stack is deployed.
   * @default - none
   */
  firstCommand?(outputs: Outputs): FirstCommand | undefined;
  /**
   * Returns the outputs of the main stack on this machine.
   * @param here address of the sign-in page or of the page at `/`, and what the first command printed
   * @default - the outputs of the stack
   */
  localOutputs?(outputs: Outputs, here: { readonly url: string; readonly printed?: unknown }): Outputs;
  /**
   * The slowest request bodies that are read, and the answer to slower ones.
   * @default - bodies of any pace are read
   */
  readonly slowBodies?: SlowBodies;
  /**
   * Names of the errors by which a function asks its caller to call it again. They are in the log of the function
   * only.
   * @default - none
   */
  readonly repeatErrors?: readonly string[];
  /**
   * Returns a command that runs when the last missing secret of a service has been created.
   * @default - none
   */
  resumeCommand?(outputs: Outputs, service: string): Command | undefined;
  /**
   * Returns the facts to print when the service is ready, by name.
   * @default - the outputs of the main stack
   */
  facts?(outputs: Outputs): readonly (readonly [name: string, value: string])[];
  /**
   * Returns commands to try.
   * @param services names of the listed services
   * @param showsSecrets whether the commands can contain secrets of this machine
   * @default - none
   */
  examples?(outputs: Outputs, services: readonly string[], showsSecrets: boolean): Examples | undefined;
}

export interface FirstCommand {
  /** Name of the command in AWS calls, and of the file with the JSON that it prints. */
  readonly name: string;
  readonly command: Command;
}

export interface Examples {
  readonly title: string;
  readonly commands: readonly string[];
}

/** The lists of container images of the product and of the app. */
export interface ImageList {
  /** Path of the file, relative to the folder of the product, in which the commands of its images run. */
  readonly file: string;
  /**
   * Path of the file with the app's own images, relative to the folder of the app, in which their commands run. It can
   * be missing.
   * @default - only images that the user names in a variable
   */
  readonly appFile?: string;
  /** What to do about an image that is in no list, as the end of a sentence. */
  readonly remedy: string;
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

/** How the containers of a task find each other, and which one an attached command replaces. */
export interface TaskContainers {
  /** Variable with the port of a sidecar. Addresses in other variables can contain the port too. */
  readonly sidecarPort: string;
  /** Variable with the port of the server that a sidecar calls. */
  readonly serverPort: string;
  /** Returns the container that an attached command replaces. */
  mainContainer<Its>(containers: readonly Its[]): Its | undefined;
}
