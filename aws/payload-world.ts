import type { Clock } from '../core/clock.ts';
import type { OnUnreadable } from '../core/unreadable.ts';
import type { World } from '../core/world.ts';
import type { OnClient } from './clients.ts';
import { createObjects } from './objects.ts';
import type { SlotHolder } from './slot-holders.ts';
import { createWorld } from './world.ts';

/** The world of those who read and write inputs and outputs of any size. */
export const createPayloadWorld = (
  clock?: Clock,
  onClient?: OnClient,
  onUnreadable?: OnUnreadable,
  holder?: SlotHolder,
): Omit<World, 'secrets'> =>
  Object.assign(createWorld(clock, onClient, onUnreadable, holder), { objects: createObjects(onClient) });
