/**
 * `gpu-endpoints diff`, `deploy` and `destroy`: CDK's toolkit library over the app of `cdk.json`, so that they do what
 * `npx cdk` does.
 */
import { basename } from 'node:path/posix';
import {
  CachedCloudAssembly,
  CdkAppMultiContext,
  DiffMethod,
  ExpandStackSelection,
  StackSelectionStrategy,
  type StackSelector,
  Toolkit,
  ToolkitError,
} from '@aws-cdk/toolkit-lib';
import { appFolder, cdkJson } from '../assembly/app-folder.ts';
import type { Context } from '../assembly/context.ts';
import { createAccount } from '../doctor/account.ts';
import { askAtTerminal, INTERRUPTED, NOT_CONFIRMED } from '../terminal.ts';
import { TerminalHost } from './terminal-host.ts';

export interface Chosen {
  /** Ids of stacks, such as `Endpoint-echo` or `Gpu/Endpoint-echo`. All stacks if there are none. */
  readonly names: readonly string[];
  readonly context: Context;
}

/** Stacks that are deployed or destroyed at the same time if no question can come between them. */
const CONCURRENCY = 10;

/**
 * Returns the paths of the stacks with these names.
 * @throws Error with all names if a name is not that of a stack
 */
function pathsOf(names: readonly string[], paths: readonly string[]): string[] {
  return names.flatMap((name) => {
    const found = paths.filter((path) => path === name || basename(path) === name);
    if (found.length > 0) return found;
    throw new Error(
      `There is no stack ${JSON.stringify(name)}; the stacks are: ${paths.map((path) => basename(path)).join(', ')}.`,
    );
  });
}

/** Time limit of the call that checks the credentials, in milliseconds. */
const LIMIT = 5_000;

const NEEDED = 'This command needs AWS credentials: aws sso login, or aws configure, or export AWS_PROFILE=NAME.';

/** Checks the credentials before the synthesis, which takes half a minute. */
async function requireCredentials(): Promise<void> {
  const region = process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION || 'us-east-1';
  try {
    await createAccount(region, LIMIT).caller();
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${NEEDED}`, { cause: error });
  }
}

/** Synthesizes the app, and uses its stacks. */
async function withStacks(
  { names, context }: Chosen,
  {
    yes = false,
    isLocal = false,
    expand,
  }: {
    readonly yes?: boolean;
    /** Whether the command calls nothing in AWS. */
    readonly isLocal?: boolean;
    readonly expand: ExpandStackSelection;
  },
  use: (toolkit: Toolkit, assembly: CachedCloudAssembly, stacks: StackSelector) => Promise<void>,
): Promise<void> {
  const { app, versionReporting = true } = cdkJson();
  if (!isLocal) await requireCredentials();
  const ioHost = new TerminalHost({ yes, ask: askAtTerminal() });
  const toolkit = new Toolkit({ ioHost });
  const source = await toolkit.fromCdkApp(app, {
    workingDirectory: appFolder(),
    contextStore: new CdkAppMultiContext(appFolder(), context),
    synthOptions: { versionReporting },
  });
  const assembly = new CachedCloudAssembly(await source.produce());
  try {
    const paths = assembly.cloudAssembly.stacksRecursively.map(({ hierarchicalId }) => hierarchicalId);
    const patterns = pathsOf(names, paths);
    await use(
      toolkit,
      assembly,
      patterns.length > 0
        ? { strategy: StackSelectionStrategy.PATTERN_MUST_MATCH, patterns, expand }
        : { strategy: StackSelectionStrategy.ALL_STACKS },
    );
  } catch (error) {
    // A refused deployment is an error of the library, and a refused deletion is none.
    if (!ioHost.hasRefused) throw explained(error);
  } finally {
    if (ioHost.hasRefused) process.exitCode = NOT_CONFIRMED;
    await assembly.dispose();
  }
}

/** Returns the error with a remedy if it is one of credentials. */
const explained = (error: unknown) =>
  ToolkitError.isAuthenticationError(error) ? new Error(`${error.message}\n${NEEDED}`, { cause: error }) : error;

/** On Ctrl-C, exits with 130. CloudFormation does not stop. */
function exitOnInterrupt(): void {
  process.on('SIGINT', () => {
    console.error('\nStopped. CloudFormation continues what it has begun. Run the same command again to continue.');
    process.exit(INTERRUPTED);
  });
}

interface DiffOptions {
  /** `change-set` asks CloudFormation, and `template` only reads the deployed template. */
  readonly method: string;
  /**
   * File to compare one stack with, without an AWS account.
   * @default - the deployed stacks
   */
  readonly template?: string;
}

function methodOf({ method, template }: DiffOptions): DiffMethod {
  if (template !== undefined) return DiffMethod.LocalFile(template);
  return method === 'template' ? DiffMethod.TemplateOnly() : DiffMethod.ChangeSet();
}

/** Prints what a deployment would change. */
export const diff = (chosen: Chosen, options: DiffOptions): Promise<void> =>
  withStacks(
    chosen,
    { isLocal: options.template !== undefined, expand: ExpandStackSelection.NONE },
    async (toolkit, assembly, stacks) => {
      await toolkit.diff(assembly, { stacks, method: methodOf(options) });
    },
  );

export const deploy = (chosen: Chosen, { yes = false, outputsFile }: { yes?: boolean; outputsFile?: string }) =>
  withStacks(chosen, { yes, expand: ExpandStackSelection.UPSTREAM }, async (toolkit, assembly, stacks) => {
    exitOnInterrupt();
    await toolkit.deploy(assembly, {
      stacks,
      deploymentMethod: { method: 'change-set' },
      concurrency: yes ? CONCURRENCY : 1,
      ...(outputsFile !== undefined && { outputsFile }),
    });
  });

export async function destroy(chosen: Chosen, { yes = false }: { yes?: boolean }): Promise<void> {
  if (!yes && !askAtTerminal()) {
    console.error('Nothing is deleted: there is no terminal to ask on. Use --yes to agree.');
    process.exitCode = NOT_CONFIRMED;
    return;
  }
  await withStacks(chosen, { yes, expand: ExpandStackSelection.DOWNSTREAM }, async (toolkit, assembly, stacks) => {
    exitOnInterrupt();
    await toolkit.destroy(assembly, { stacks, concurrency: CONCURRENCY });
  });
}
