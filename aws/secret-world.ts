import type { Clock } from '../core/clock.ts';
import type { World } from '../core/world.ts';
import type { OnClient } from './clients.ts';
import { createPayloadWorld } from './payload-world.ts';
import { createSecrets } from './secrets.ts';
import type { SlotHolder } from './slot-holders.ts';

/** The world of those who seal the secrets of jobs, and of those who open them. */
export const createSecretWorld = (clock?: Clock, onClient?: OnClient, holder?: SlotHolder): World =>
  Object.assign(createPayloadWorld(clock, onClient, undefined, holder), { secrets: createSecrets() });
