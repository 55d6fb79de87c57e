/** Injects faults that can happen to a call between its caller and AWS. */
import { setTimeout as delay } from 'node:timers/promises';
import { AwsFault } from './aws-fault.ts';
import type { Call, Perform } from './call.ts';
import { createDraws, siteOf } from './fault-draws.ts';
import type { FaultKind, FaultPlan } from './fault-plan.ts';
import { type LineLog, openLineLog } from './line-log.ts';

export interface LoggedFault {
  /** ISO 8601. */
  readonly time: string;
  /** Role, action and kind of resource of the call. */
  readonly site: string;
  /** Number of the call at its site, from 1. */
  readonly n: number;
  readonly kind: FaultKind;
  /** Whether a crashed call was executed before the crash. */
  readonly executed?: boolean;
  /** Milliseconds of a delayed call. */
  readonly ms?: number;
}

/** Kills the function or the task with this session, as if its process had crashed or its machine had failed. */
export type Crash = (session: string) => Promise<void>;

export interface Faults {
  readonly perform: Perform;
  /** Begins to inject faults. No fault is injected earlier, so that the deployment succeeds. */
  begin(crash: Crash): void;
  /** Resolves when all entries of the log are written. */
  close(): Promise<void>;
}

export const performUnharmed: Perform = (_call, _described, execute) => execute();

type Refusal = readonly [status: number, name: string, message: string];

/** The throttling errors of the services, which make SDKs slow down. */
const THROTTLES: Readonly<Record<string, Refusal>> = {
  dynamodb: [
    400,
    'ProvisionedThroughputExceededException',
    'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
  ],
  sqs: [403, 'RequestThrottled', 'Request is throttled.'],
  s3: [503, 'SlowDown', 'Please reduce your request rate.'],
};
const OTHER_THROTTLE: Refusal = [400, 'ThrottlingException', 'Rate exceeded'];

/**
 * Cuts the connection, so that the caller's SDK gets a transport error immediately. A silent connection would have
 * the same effect, but only after a timeout of several seconds, which would take most of the time of a run.
 */
function cut({ outgoing }: Call): never {
  outgoing.destroy();
  throw new Error('The connection was cut on purpose.');
}

/**
 * Opens the fault log.
 * @throws LocalError if the file cannot be written
 */
export async function openFaults(plan: FaultPlan, file: string | undefined): Promise<Faults> {
  const log: LineLog<LoggedFault> | undefined =
    file === undefined ? undefined : await openLineLog(file, 'The fault log');
  const draw = createDraws(plan);
  let crash: Crash | undefined;

  const perform: Perform = async (call, described, execute) => {
    // Calls by the operator are not part of the service, so they get no faults.
    if (!crash || call.caller.isOperator) return execute();
    const site = siteOf(call, described);
    const { n, kind, executed, milliseconds } = draw(site);
    if (!kind) return execute();
    const details = { ...(kind === 'crash' && { executed }), ...(kind === 'delay' && { ms: milliseconds }) };
    log?.write({ time: new Date().toISOString(), site, n, kind, ...details });

    switch (kind) {
      case 'throttle':
        throw new AwsFault(...(THROTTLES[call.caller.service] ?? OTHER_THROTTLE));
      case 'timeout':
        return cut(call);
      case 'delay':
        await delay(milliseconds);
        // A poll without a caller would receive a message and lose it.
        return call.outgoing.destroyed ? cut(call) : execute();
      case 'executed-timeout':
        await execute().catch(() => undefined);
        return cut(call);
      case 'crash':
        if (executed) await execute().catch(() => undefined);
        await crash(call.caller.session);
        return cut(call);
    }
  };

  return {
    perform,
    begin: (how) => {
      crash = how;
    },
    close: async () => log?.close(),
  };
}
