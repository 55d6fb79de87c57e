import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type FaultPlan, parseFaultPlan } from './aws-proxy/fault-plan.ts';
import { LocalError } from './local-error.ts';

export const HELP = `Usage: npm start -- [options]

Runs the stacks of this repository on this machine, without an AWS account and Docker.

  -c, --context NAME=VALUE
                     a setting of the stacks, as for cdk: -c deployment=NAME, -c environment=NAME; may be repeated
  --assembly DIR     run the synthesized stacks in DIR instead of synthesizing them
  --help             print this

Environment:
  PORT               port to listen on, on 127.0.0.1      (default: 3000)
  LOCAL_STATE_DIR    where data, logs and outputs are kept (default: .local)
  LOCAL_IMAGES       file with more container images, in the form of local/images.yaml
  LOCAL_CALL_LOG     file that gets one line of JSON for every AWS call
  LOCAL_PERMISSIONS_FILE
                     file that gets the use of every permission of every role
  LOCAL_PLACEMENT    file that lists the endpoints that get no worker, with the message of the provider,
                     as in Endpoint-echo: RESOURCE:GPU; read again for every worker
  LOCAL_WEBHOOK_NETWORKS
                     addresses and networks that webhooks may reach besides public ones
                                                         (default: 127.0.0.1,::1)
  LOCAL_CONCURRENCY  executions of all functions at the same time; Lambda throttles calls beyond it
                                                         (default: 1000, as in a new account)
  LOCAL_FAULTS       faults for AWS calls once the service is ready, as in seed=42,each=0.01,crash=0:
                     the share of the calls that each kind affects: throttle, timeout, executed-timeout,
                     delay and crash; only=PART limits it to calls whose role, action or resource
                     contains PART                          (default: none)
  LOCAL_FAULT_LOG    file that gets one line of JSON for every fault
  NODE_COMPILE_CACHE folder of the compile cache of functions and workers, for several states
                                                         (default: in LOCAL_STATE_DIR)
`;

export interface Options {
  readonly help: boolean;
  /** TCP port of both interfaces. */
  readonly port: number;
  /** Absolute path. */
  readonly stateDir: string;
  /** Settings of the stacks besides those of `cdk.json`. */
  readonly context?: Readonly<Record<string, string>>;
  /** A synthesized assembly to run unchanged. */
  readonly assembly?: string;
  /** More container images, an absolute path. */
  readonly images?: string;
  /** Files to write, absolute paths. */
  readonly callLog?: string;
  readonly permissionsFile?: string;
  readonly faultLog?: string;
  /** Folder of the compile cache of Node.js, an absolute path. @default - one for this state */
  readonly compileCache?: string;
  /** File to read for every task, an absolute path. */
  readonly placement?: string;
  /** Networks that webhooks may reach besides public ones, separated by commas. */
  readonly webhookNetworks: string;
  /** Executions of all functions at the same time. @default - Lambda's limit for an account */
  readonly concurrency?: number;
  /** Faults of AWS calls. */
  readonly faults?: FaultPlan;
}

/** More than any account has. */
const MOST_CONCURRENCY = 1_000_000;

function numberFrom(name: string, text: string, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= most) return number;
  throw new LocalError(`${name} must be a whole number from 1 to ${most}, got ${text}.`);
}

function flags(args: readonly string[]) {
  try {
    const options = {
      assembly: { type: 'string' },
      context: { type: 'string', short: 'c', multiple: true },
      help: { type: 'boolean', default: false },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ');
    throw new LocalError(`${sentence}; npm start -- --help lists the options.`);
  }
}

function contextFrom(words: readonly string[]): Readonly<Record<string, string>> {
  const settings = words.map((word) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined) return [name, value] as const;
    throw new LocalError(`--context takes name=value, as in -c deployment=test, got ${JSON.stringify(word)}.`);
  });
  return Object.fromEntries(settings);
}

/** Reads the options. @throws LocalError for a flag or a variable that is not valid */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const { assembly, context, help } = flags(args);
  if (assembly !== undefined && context !== undefined)
    throw new LocalError('--context has no effect with --assembly: give it to the synthesis of those stacks.');
  return {
    help,
    port: numberFrom('PORT', env.PORT || '3000', 65_535),
    stateDir: resolve(env.LOCAL_STATE_DIR || '.local'),
    webhookNetworks: env.LOCAL_WEBHOOK_NETWORKS ?? '127.0.0.1,::1',
    ...(context !== undefined && { context: contextFrom(context) }),
    ...(assembly !== undefined && { assembly: resolve(assembly) }),
    ...(env.LOCAL_IMAGES && { images: resolve(env.LOCAL_IMAGES) }),
    ...(env.LOCAL_CALL_LOG && { callLog: resolve(env.LOCAL_CALL_LOG) }),
    ...(env.LOCAL_PERMISSIONS_FILE && { permissionsFile: resolve(env.LOCAL_PERMISSIONS_FILE) }),
    ...(env.LOCAL_PLACEMENT && { placement: resolve(env.LOCAL_PLACEMENT) }),
    ...(env.LOCAL_FAULT_LOG && { faultLog: resolve(env.LOCAL_FAULT_LOG) }),
    ...(env.NODE_COMPILE_CACHE && { compileCache: resolve(env.NODE_COMPILE_CACHE) }),
    ...(env.LOCAL_CONCURRENCY && {
      concurrency: numberFrom('LOCAL_CONCURRENCY', env.LOCAL_CONCURRENCY, MOST_CONCURRENCY),
    }),
    ...(env.LOCAL_FAULTS && { faults: parseFaultPlan(env.LOCAL_FAULTS) }),
  };
}
