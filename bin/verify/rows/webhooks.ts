import { after, before, describe, it } from 'node:test';
import { expect } from 'expect';
import { eventually } from '../eventually.ts';
import { type Post, type Receiver, startReceiver } from '../receiver.ts';
import type { Suite } from '../suite.ts';

/** Tests webhooks. A service in AWS cannot reach a receiver on this machine. */
export function webhooks({ ask, ended, lacks }: Suite): void {
  let receiver: Receiver;
  const cameTo = (path: string) => receiver.posts(path);

  const submit = async (webhook: unknown) => ask('POST', 'run', { body: JSON.stringify({ input: { a: 1 }, webhook }) });

  let delivered: Promise<{ readonly id: unknown; readonly post: Post | undefined }> | undefined;
  async function deliver() {
    const { json } = await submit(`${receiver.url}/payload`);
    const [post] = await eventually('the webhook is called', () =>
      cameTo('/payload').length > 0 ? cameTo('/payload') : undefined,
    );
    return { id: json.id, post };
  }
  const delivery = () => (delivered ??= deliver());

  describe('a webhook', () => {
    before(async () => {
      // This path is missing at the first call and exists at the second.
      receiver = await startReceiver((path, nth) => (path === '/later' && nth < 2 ? 503 : 200));
    });
    after(() => receiver.close());

    it('[body.webhook][webhook.payload][job.webhook] is called with the response of /status', {
      skip: lacks.receiver,
    }, async () => {
      const { id, post } = await delivery();
      const { webhook, ...record } = (await ended(String(id))).json;
      expect(JSON.parse(post?.body ?? '')).toEqual(record);
      expect(webhook).toMatchObject({ attempts: 1 });
    });

    it('[webhook.ack][webhook.retry] is called again after 10 seconds if it does not answer 200, and not a third time after a 200', {
      skip: lacks.receiver,
    }, async () => {
      await delivery();
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
