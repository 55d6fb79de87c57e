/** One clock for the product and the emulators. Only the test moves it. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startEmulators } from '../../packages/emulator/emulators/emulators.ts';
import type { EmulatedDeployment } from './emulated-deployment.ts';
import { MovedClock, startEmulatedDeployment } from './emulated-deployment.ts';

/**
 * Start of the clock. It is fixed, so that a seed creates the same ids, and in the future, because the emulators
 * start with today's time.
 */
const START = Date.UTC(2040, 0, 1);

/** Also moves the emulators' time. A pause resolves when they have the new time. */
class SharedClock extends MovedClock {
  readonly #setTime: (now: number) => Promise<void>;

  constructor(setTime: (now: number) => Promise<void>) {
    super(START);
    this.#setTime = setTime;
  }

  override async pause(milliseconds: number): Promise<void> {
    this.advance(milliseconds);
    await this.#setTime(this.now());
  }
}

export interface TimedPorts {
  readonly emulated: EmulatedDeployment;
  readonly clock: MovedClock;
  stop(): Promise<void>;
}

const preload = join(import.meta.dirname, 'moved-time.ts');

export async function startTimedPorts(): Promise<TimedPorts> {
  const directory = mkdtempSync(join(tmpdir(), 'gpu-endpoints-time-'));
  const path = join(directory, 'socket');
  let setTime: (now: number) => Promise<void> = async () => undefined;
  const clock = new SharedClock((now) => setTime(now));

  const { NODE_OPTIONS } = process.env;
  Object.assign(process.env, { NODE_OPTIONS: `--import=${preload}`, MOVED_TIME_SOCKET: path });
  const emulators = await startEmulators(directory);
  process.env.NODE_OPTIONS = NODE_OPTIONS ?? '';
  const emulated = await startEmulatedDeployment(clock, emulators);

  const socket = connect(path);
  await once(socket, 'connect');
  const lines = createInterface(socket);
  setTime = async (now) => {
    const heard = once(lines, 'line');
    socket.write(`${now}\n`);
    await heard;
  };
  await setTime(clock.now());
  return {
    emulated,
    clock,
    async stop() {
      socket.destroy();
      await emulated.stop();
      await emulators.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
