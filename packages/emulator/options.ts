import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type FaultPlan, parseFaultPlan } from './aws-proxy/fault-plan.ts';
import { LocalError } from './local-error.ts';

/** The command of a product that names none. */
const COMMAND = 'npm start --';

/**
 * Returns the help of the command.
 * @param settings help of the variables that the description of the product reads
 * @param command the command with its options, as the user types it
 */
export const helpText = (settings = '', command = COMMAND): string => `Usage: ${command} [options]

Runs the stacks of this repository on this machine, without an AWS account or Docker.

  -c, --context NAME=VALUE
                     context value for the stacks, as for cdk: -c deployment=NAME, -c environment=NAME; can be repeated
  --env NAME         short for -c environment=NAME
  --assembly DIR     run the synthesized stacks in DIR instead of synthesizing them
  -h, --help         print this help

Environment:
  PORT               port to listen on, on 127.0.0.1      (default: 3000)
  LOCAL_STATE_DIR    folder for data, logs and outputs    (default: .local)
  LOCAL_IMAGES       file with container images, and the commands that replace them
  LOCAL_CALL_LOG     file that gets one line of JSON for every AWS call
  LOCAL_PERMISSIONS_FILE
                     file that gets the use of every permission of every role
  LOCAL_PLACEMENT    file that lists the stacks whose services get no tasks, with the message of the provider,
                     as in STACK: RESOURCE:GPU; read again for every task
  LOCAL_CONCURRENCY  maximum concurrent executions of all functions; further calls are throttled
                                                         (default: 1000, as in a new account)
  LOCAL_FAULTS       faults in AWS calls after the service is ready, as in seed=42,each=0.01,crash=0:
                     the share of the calls that each kind affects: throttle, timeout, executed-timeout,
                     delay and crash; only=PART selects calls whose role, action or resource
                     contains PART                          (default: none)
  LOCAL_FAULT_LOG    file that gets one line of JSON for every fault
  NODE_COMPILE_CACHE compile cache of Node.js, which state directories can share
                     (default: in LOCAL_STATE_DIR for functions, in node_modules/.cache for other programs)
${settings}
Examples:
  ${command.replace(/ --$/, '')}
  ${command} -c deployment=test
  PORT=3001 LOCAL_STATE_DIR=.local-2 ${command.replace(/ --$/, '')}
`;

export interface Options {
  readonly help: boolean;
  /** TCP port of both interfaces. */
  readonly port: number;
  /** Absolute path of the state directory. */
  readonly stateDir: string;
  /** Context of the stacks, in addition to `cdk.json`. */
  readonly context?: Readonly<Record<string, string>>;
  /** Absolute path of a synthesized assembly to run unchanged. */
  readonly assembly?: string;
  /** Absolute path of a file with more container images. */
  readonly images?: string;
  /** Absolute paths of files to write. */
  readonly callLog?: string;
  readonly permissionsFile?: string;
  readonly faultLog?: string;
  /**
   * Absolute path of the compile cache of Node.js.
   * @default - a folder in the state directory
   */
  readonly compileCache?: string;
  /** Absolute path of a file that is read for every task. */
  readonly placement?: string;
  /**
   * Maximum concurrent executions of all functions.
   * @default - Lambda's limit for an account
   */
  readonly concurrency?: number;
  /** Faults of AWS calls. */
  readonly faults?: FaultPlan;
}

/** Maximum of LOCAL_CONCURRENCY, higher than the limit of any account. */
const MAX_CONCURRENCY = 1_000_000;

function numberFrom(name: string, text: string, max: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= max) return number;
  throw new LocalError(`${name} must be a whole number from 1 to ${max}, got ${text}.`);
}

function flags(args: readonly string[], command: string) {
  try {
    const options = {
      assembly: { type: 'string' },
      context: { type: 'string', short: 'c', multiple: true },
      env: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ');
    throw new LocalError(`${sentence}; ${command} --help lists the options.`, { cause: error });
  }
}

function contextFrom(pairs: readonly string[]): Readonly<Record<string, string>> {
  const settings = pairs.map((pair) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name !== undefined && value !== undefined) return [name, value] as const;
    throw new LocalError(`--context takes name=value, as in -c deployment=test, got ${JSON.stringify(pair)}.`);
  });
  return Object.fromEntries(settings);
}

/**
 * Reads the options.
 * @throws LocalError for an invalid flag or variable
 */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv, command = COMMAND): Options {
  const { assembly, context, env: environment, help } = flags(args, command);
  const pairs = [...(context ?? []), ...(environment === undefined ? [] : [`environment=${environment}`])];
  if (assembly !== undefined && pairs.length > 0)
    throw new LocalError(
      `${context ? '--context' : '--env'} has no effect with --assembly: pass it to cdk synth when you create the assembly.`,
    );
  return {
    help,
    port: numberFrom('PORT', env.PORT || '3000', 65_535),
    stateDir: resolve(env.LOCAL_STATE_DIR || '.local'),
    ...(pairs.length > 0 && { context: contextFrom(pairs) }),
    ...(assembly !== undefined && { assembly: resolve(assembly) }),
    ...(env.LOCAL_IMAGES && { images: resolve(env.LOCAL_IMAGES) }),
    ...(env.LOCAL_CALL_LOG && { callLog: resolve(env.LOCAL_CALL_LOG) }),
    ...(env.LOCAL_PERMISSIONS_FILE && { permissionsFile: resolve(env.LOCAL_PERMISSIONS_FILE) }),
    ...(env.LOCAL_PLACEMENT && { placement: resolve(env.LOCAL_PLACEMENT) }),
    ...(env.LOCAL_FAULT_LOG && { faultLog: resolve(env.LOCAL_FAULT_LOG) }),
    ...(env.NODE_COMPILE_CACHE && { compileCache: resolve(env.NODE_COMPILE_CACHE) }),
    ...(env.LOCAL_CONCURRENCY && {
      concurrency: numberFrom('LOCAL_CONCURRENCY', env.LOCAL_CONCURRENCY, MAX_CONCURRENCY),
    }),
    ...(env.LOCAL_FAULTS && { faults: parseFaultPlan(env.LOCAL_FAULTS) }),
  };
}
