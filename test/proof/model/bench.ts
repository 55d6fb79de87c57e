/** Starts the emulators and the ports of each process once for many sequences. */

import type { Ports } from '../../../aws/ports.ts';
import { createSecretPorts } from '../../../aws/secret-ports.ts';
import type { Clock } from '../../../core/clock.ts';
import type { EmulatedDeployment, MovedClock } from '../../emulated-deployment.ts';
import { named } from '../calls/context.ts';
import { type Between, standBetween } from '../calls/middleware.ts';
import { startTimedPorts } from './time.ts';

/** Processes that have their own caches. */
export const processes = ['api 1', 'api 2', 'clockwork', 'worker 1', 'worker 2'] as const;
export type ProcessName = (typeof processes)[number];

export interface Bench {
  readonly emulated: EmulatedDeployment;
  readonly clock: MovedClock;
  /** Another endpoint, whose clients ask for jobs that are not its own. */
  readonly foreign: string;
  readonly portsOfProcess: Readonly<Record<ProcessName, Ports>>;
  /** Sets the schedule, faults and observers for all further calls to AWS. */
  use(between: Between): void;
  /** Returns a number for the next sequence, which names its endpoint. */
  nextNumber(): number;
  stop(): Promise<void>;
}

export async function startBench(): Promise<Bench> {
  const { emulated, clock, stop } = await startTimedPorts();
  // Loaded early, because the product's first use would load it outside of the schedule.
  await import('@aws-sdk/client-s3');
  let present: Between | undefined;
  const between = () => {
    if (!present) throw new Error('No sequence is running.');
    return present;
  };
  /** Counts a pause as work of AWS: the schedule waits until the emulators have the new time. */
  const productClock: Clock = {
    now: () => clock.now(),
    pause: (milliseconds) => between().schedule.during(() => clock.pause(milliseconds)),
  };
  const ports = () => named(createSecretPorts({ clock: productClock, onClient: standBetween(between) }));
  const portsOfProcess = Object.fromEntries(processes.map((name) => [name, ports()])) as Record<ProcessName, Ports>;
  const { id: foreign } = await emulated.deploy('foreign');
  let sequences = 0;
  return {
    emulated,
    clock,
    foreign,
    portsOfProcess,
    use(between) {
      present = between;
    },
    nextNumber() {
      sequences += 1;
      return sequences;
    },
    stop,
  };
}
