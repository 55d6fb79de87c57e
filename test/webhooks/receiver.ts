/** Creates ports whose webhooks are sent to a receiver. The test sets its responses and reads its requests. */

import { type Ports, portsWith } from '../../aws/ports.ts';
import type { DeliverPorts } from '../../core/webhooks/deliver.ts';
import type { PostOutcome } from '../../core/webhooks/store.ts';

export interface Received {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A secret of 32 bytes in base64. */
export const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

export function withReceiver(
  ports: Ports,
  answer: (call: Received) => PostOutcome | Promise<PostOutcome>,
): { ports: DeliverPorts; received: Received[] } {
  const received: Received[] = [];
  const webhookClient = {
    async post(call: Received) {
      received.push(call);
      return answer(call);
    },
  };
  return { ports: portsWith(ports, { webhookClient, webhookSecrets: { current: async () => [SECRET] } }), received };
}

export const answered = (status: number): PostOutcome => ({ answered: true, status });
