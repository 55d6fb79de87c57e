/** A world whose webhooks go to a receiver that does as it is told, and remembers what came. */
import type { DeliverWorld } from '../../core/webhooks/deliver.ts';
import type { PostOutcome } from '../../core/webhooks/store.ts';
import type { World } from '../../core/world.ts';
import { worldWith } from '../emulated-world.ts';

export interface Received {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** 32 bytes in base64. */
export const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

export function withReceiver(
  world: World,
  answer: (call: Received) => PostOutcome | Promise<PostOutcome>,
): { world: DeliverWorld; received: Received[] } {
  const received: Received[] = [];
  const poster = {
    async post(call: Received) {
      received.push(call);
      return answer(call);
    },
  };
  return { world: worldWith(world, { poster, webhookSecrets: { current: async () => [SECRET] } }), received };
}

export const answered = (status: number): PostOutcome => ({ answered: true, status });
