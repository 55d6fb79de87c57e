/** This file is separate from `emulated-deployment.ts`, which commands use without Jest. */
import { afterAll, beforeAll } from '@jest/globals';
import { sharedEmulators } from '../runner/emulators.ts';
import { createEmulatedDeployment, type EmulatedDeployment, type MovedClock } from './emulated-deployment.ts';

/** Starts a deployment before the first test of the file or the `describe`, and stops it after the last. */
export function useEmulatedDeployment(clock?: MovedClock): EmulatedDeployment {
  const emulated = createEmulatedDeployment(clock);
  beforeAll(() => emulated.start(sharedEmulators()));
  afterAll(() => emulated.stop());
  return emulated;
}
