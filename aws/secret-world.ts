import type { Clock } from '../core/clock.ts';
import type { OnUnreadable } from '../core/unreadable.ts';
import type { World } from '../core/world.ts';
import type { OnClient } from './clients.ts';
import { createPayloadWorld } from './payload-world.ts';
import { createSecrets } from './secrets.ts';
import type { SlotHolder } from './slot-holders.ts';

/** The world of those who seal the secrets of jobs, and of those who open them. */
export const createSecretWorld = (
  clock?: Clock,
  onClient?: OnClient,
  onUnreadable?: OnUnreadable,
  holder?: SlotHolder,
): World => Object.assign(createPayloadWorld(clock, onClient, onUnreadable, holder), { secrets: createSecrets() });
