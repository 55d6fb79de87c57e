/** The AWS proxy: the address at which every function, task and command calls AWS. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AwsEnvironment, createAwsEnvironment, type EmulatorAddresses } from '../account.ts';
import type { Access } from '../iam/evaluate.ts';
import type { Permissions } from '../iam/permissions.ts';
import { createUsage, type PermissionUsage } from '../iam/usage.ts';
import { refusePage } from '../network/page-refusal.ts';
import { LOOPBACK } from '../network/ports.ts';
import type { StateDirectory } from '../state/state-directory.ts';
import { createAccessKeys } from './access-keys.ts';
import { createAnswering } from './answer.ts';
import type { LoggedCall } from './call-log.ts';
import { callerOf } from './caller.ts';
import type { Tables } from './described.ts';
import type { FaultPlan } from './fault-plan.ts';
import { type Crash, openFaults, performUnharmed } from './faults.ts';
import { createForwarder } from './forward.ts';
import { createGate } from './gate.ts';
import type { JsonService } from './json-service.ts';
import { openLineLog } from './line-log.ts';
import { createVerifier } from './signature.ts';
import { keepUsageFile } from './usage-file.ts';

export interface AwsProxyOptions {
  /** Port of the previous run, preferred because queue URLs contain the port. */
  readonly preferredPort?: number | undefined;
  readonly emulators: EmulatorAddresses;
  /** Permissions of the roles, added while stacks are deployed. */
  readonly permissions: Permissions;
  /** Tables that the templates declare, added while stacks are deployed. */
  readonly tables: Tables;
  /** Services that run in this process, by their service name in signatures. */
  readonly services: ReadonlyMap<string, JsonService>;
  /** Prints a message for the user. */
  notify(text: string): void;
  /** File that gets a line for each call. */
  readonly callLog?: string;
  /** File that gets the report of used permissions. */
  readonly permissionsFile?: string;
  /** The plan of faults, and the file that gets a line for each fault. */
  readonly faults?: FaultPlan;
  readonly faultLog?: string;
}

export interface AwsProxy {
  readonly url: string;
  readonly port: number;
  /** Returns the environment in which a role's session calls the proxy, with its secret access key in this run. */
  readonly environment: AwsEnvironment;
  /**
   * Authorizes an access by a service that acts on behalf of a role.
   * @throws AwsFault if the access is denied
   */
  authorize(roleArn: string, access: Access): void;
  /** Returns the permissions used so far. */
  usage(): PermissionUsage;
  /** Begins to inject the planned faults. */
  beginFaults(crash: Crash): void;
  stop(): Promise<void>;
}

/** In milliseconds. SDKs close idle connections earlier, so that the server does not close them first. */
const KEEP_ALIVE_TIMEOUT = 65_000;

async function listen(server: Server, preferred: number): Promise<number> {
  try {
    await once(server.listen(preferred, LOOPBACK), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    await once(server.listen(0, LOOPBACK), 'listening');
  }
  return (server.address() as AddressInfo).port;
}

/**
 * Starts the proxy.
 * @throws LocalError if a file of its options cannot be written
 */
export async function startAwsProxy(options: AwsProxyOptions): Promise<AwsProxy> {
  const { preferredPort = 0, permissions, notify, callLog, permissionsFile, faults: plan, faultLog } = options;
  const usage = createUsage(permissions);
  const keys = createAccessKeys();
  const forwarder = createForwarder();
  const log = callLog === undefined ? undefined : await openLineLog<LoggedCall>(callLog, 'The call log');
  const faults = plan && (await openFaults(plan, faultLog));
  const file = permissionsFile === undefined ? undefined : keepUsageFile(permissionsFile, usage, notify);
  const gate = createGate(permissions, usage, notify);
  const answer = createAnswering({
    ...options,
    verify: createVerifier(keys),
    gate,
    forwarder,
    perform: faults?.perform ?? performUnharmed,
    log,
  });
  const server = createServer((incoming, outgoing) => {
    if (!refusePage(incoming, outgoing)) void answer({ incoming, outgoing });
  });
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
  const port = await listen(server, preferredPort);
  const url = `http://${LOOPBACK}:${port}`;
  return {
    url,
    port,
    environment: createAwsEnvironment(url, keys.secretOf),
    authorize: (roleArn, access) => gate(callerOf(roleArn, access), [access]),
    usage: usage.report,
    beginFaults: (crash) => faults?.begin(crash),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await forwarder.close();
      file?.close();
      await log?.close();
      await faults?.close();
    },
  };
}

const FILE = 'aws-proxy.json';

/** Starts the proxy on the port of the previous run if it is free, so that queue URLs do not change. */
export async function openAwsProxy(options: AwsProxyOptions, state: StateDirectory): Promise<AwsProxy> {
  const former = state.readJson<{ port: number }>(FILE);
  const proxy = await startAwsProxy({ ...options, preferredPort: former?.port });
  state.writeJson(FILE, { port: proxy.port });
  return proxy;
}
