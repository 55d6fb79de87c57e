/** The emulators and the ports of each process, set up once for many sequences. */

import type { Ports } from '../../../aws/ports.ts';
import { createSecretPorts } from '../../../aws/secret-ports.ts';
import type { Clock } from '../../../core/clock.ts';
import type { EmulatedDeployment, MovedClock } from '../../emulated-deployment.ts';
import { named } from '../calls/context.ts';
import { type Between, standBetween } from '../calls/middleware.ts';
import { startTimedPorts } from './time.ts';

/** Processes that have caches of their own. */
export const processes = ['api 1', 'api 2', 'clockwork', 'worker 1', 'worker 2'] as const;
export type ProcessName = (typeof processes)[number];

export interface Bench {
  readonly emulated: EmulatedDeployment;
  readonly clock: MovedClock;
  /** Another endpoint, whose clients ask after jobs that are not its own. */
  readonly foreign: string;
  readonly portsOfProcess: Readonly<Record<ProcessName, Ports>>;
  /** What stands between the product and AWS from now on. */
  use(between: Between): void;
  /** A number for the next sequence, which names its endpoint. */
  nextNumber(): number;
  stop(): Promise<void>;
}

export async function startBench(): Promise<Bench> {
  const { emulated, clock, stop } = await startTimedPorts();
  // The product loads it when it first needs it, which would take turns that no schedule knows of.
  await import('@aws-sdk/client-s3');
  let present: Between | undefined;
  const between = () => {
    if (!present) throw new Error('No sequence is under way.');
    return present;
  };
  /** Who pauses is at work: the schedule waits until the emulators have the time. */
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
