/** Starts the emulators and the ports of each process, which many sequences share. */

import type { Ports } from '../../../../aws/ports.ts';
import { createSecretPorts } from '../../../../aws/secret-ports.ts';
import type { Clock } from '../../../../core/clock.ts';
import type { EmulatedDeployment, MovedClock } from '../../../../test/support/emulated-deployment.ts';
import { startTimedPorts } from '../../../../test/support/timed-ports.ts';
import { named } from '../calls/context.ts';
import { type Between, interceptCalls } from '../calls/middleware.ts';

/** Processes with separate caches. */
export const processes = ['api 1', 'api 2', 'clockwork', 'worker 1', 'worker 2'] as const;
export type ProcessName = (typeof processes)[number];

export interface Bench {
  readonly emulated: EmulatedDeployment;
  readonly clock: MovedClock;
  /** Id of another endpoint, whose clients ask for jobs of the first. */
  readonly foreign: string;
  readonly portsOfProcess: Readonly<Record<ProcessName, Ports>>;
  /** Sets the schedule, faults and observers for all further calls to AWS. */
  use(between: Between): void;
  /** Returns the number of the next sequence, which is part of its endpoint's id. */
  nextNumber(): number;
  stop(): Promise<void>;
}

export async function startBench(): Promise<Bench> {
  const { emulated, clock, stop } = await startTimedPorts();
  // Loads the module early, because its first use by the product would load it outside of the schedule.
  await import('@aws-sdk/client-s3');
  let present: Between | undefined;
  const between = () => {
    if (!present) throw new Error('A call needs a running sequence. Call `use` first.');
    return present;
  };
  /** Counts a pause as work of AWS, so that the schedule waits until the emulators have the new time. */
  const productClock: Clock = {
    now: () => clock.now(),
    pause: (milliseconds) => between().schedule.during(() => clock.pause(milliseconds)),
  };
  const ports = () => named(createSecretPorts({ clock: productClock, onClient: interceptCalls(between) }));
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
