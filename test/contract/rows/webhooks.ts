import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../acceptance/local-service.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import type { Suite } from '../suite.ts';
import { hasReceiver } from '../target.ts';

/** Tests webhooks. A service in AWS cannot reach a receiver of the tests. */
export function webhooks({ ask, ended }: Suite): void {
  if (!hasReceiver) {
    console.warn('Webhooks are not tested: the service of CONTRACT_URL cannot reach a receiver on this machine.');
    return;
  }
  let receiver: Receiver;
  const cameTo = (path: string) => receiver.posts(path);

  beforeAll(async () => {
    // This path is missing at the first call and exists at the second.
    receiver = await startReceiver((path, nth) => (path === '/later' && nth < 2 ? 503 : 200));
  });
  afterAll(() => receiver.close());

  const submit = async (webhook: unknown) => ask('POST', 'run', { body: JSON.stringify({ input: { a: 1 }, webhook }) });

  describe('a webhook', () => {
    it('[body.webhook][webhook.payload][job.webhook] is called with the response of /status', async () => {
      const { json } = await submit(`${receiver.url}/payload`);
      const [post] = await eventually('the webhook is called', () =>
        cameTo('/payload').length > 0 ? cameTo('/payload') : undefined,
      );
      const { webhook, ...record } = (await ended(String(json.id))).json;
      expect(JSON.parse(post?.body ?? '')).toEqual(record);
      expect(webhook).toMatchObject({ attempts: 1 });
    });

    it('[webhook.ack][webhook.retry] is called again after 10 seconds if it does not answer 200, and not a third time after a 200', async () => {
      await submit(`${receiver.url}/later`);
      await eventually('the webhook is called again', () => cameTo('/later').length > 1 || undefined);
      const [first, second] = cameTo('/later');
      const pause = (second?.at ?? 0) - (first?.at ?? 0);
      expect(pause).toBeGreaterThanOrEqual(9_000);
      // A busy machine is late by seconds. A third call would arrive after 20 s.
      expect(pause).toBeLessThanOrEqual(16_000);
      expect(cameTo('/payload')).toHaveLength(1);
    });

    it('[body.webhook] must be a URL, or the job is refused', async () => {
      for (const wrong of [1, null, 'example.com', 'ftp://example.com/'])
        expect((await submit(wrong)).json.code).toBe('INVALID_REQUEST');
    });
  });
}
