/** Where a payload goes: small texts travel in the job itself, larger ones in the payload store. */
import { payloadLimits } from '../limits.ts';
import type { World } from '../world.ts';
import type { JobKey, PayloadRef } from './job.ts';

/** Makes the text durable and says where it is. Called before the job refers to it. */
export async function store(
  { payloads }: Pick<World, 'payloads'>,
  key: JobKey,
  name: string,
  text: string,
  removeAfter: number,
): Promise<PayloadRef> {
  if (Buffer.byteLength(text) <= payloadLimits.inline) return { inline: text };
  await payloads.write(key, name, text, removeAfter);
  return { stored: name };
}

export async function load({ payloads }: Pick<World, 'payloads'>, key: JobKey, ref: PayloadRef): Promise<string> {
  return 'inline' in ref ? ref.inline : payloads.read(key, ref.stored);
}
