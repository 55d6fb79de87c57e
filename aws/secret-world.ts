import type { Clock } from '../core/clock.ts';
import type { World } from '../core/world.ts';
import type { OnClient } from './clients.ts';
import { createPayloadWorld } from './payload-world.ts';
import { createSecrets } from './secrets.ts';

/** The world of those who seal the secrets of jobs, and of those who open them. */
export const createSecretWorld = (clock?: Clock, onClient?: OnClient): World =>
  Object.assign(createPayloadWorld(clock, onClient), { secrets: createSecrets() });
