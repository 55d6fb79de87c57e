import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { createSealing } from '../../aws/jobs/sealing.ts';
import { createWebhookSecrets } from '../../aws/webhooks/secrets.ts';
import { DAY, WEBHOOK_SECRET_CACHE, WEBHOOK_SECRET_OVERLAP } from '../../core/limits.ts';
import type { WebhookSecrets } from '../../core/webhooks/signing.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();

/** @returns the signer of another process, which has a separate cache */
const signer = (): WebhookSecrets => createWebhookSecrets(createDocumentClient(), 'SIGNING_TABLE', emulated.clock);

async function storedOf(endpoint: string): Promise<string> {
  const get = new GetItemCommand({ TableName: 'SIGNING_TABLE', Key: { endpoint: { S: endpoint } } });
  const { Item } = await new DynamoDBClient({}).send(get);
  return Item?.sealed?.S ?? '';
}

describe('the webhook secret of an endpoint', () => {
  it('is created once, even if many first calls request it at the same time', async () => {
    const asked = Array.from({ length: 8 }, () => signer().current('first'));
    const answers = await Promise.all(asked);
    expect(answers[0]).toEqual([expect.stringMatching(/^whsec_/)]);
    expect(new Set(answers.flat()).size).toBe(1);
    expect(await signer().current('other')).not.toEqual(answers[0]);
  });

  it('changes with a rotation, after which the old secret also signs for one day', async () => {
    const secrets = signer();
    const [before] = await secrets.current('rotated');
    emulated.clock.advance(30 * DAY);
    const after = (await secrets.rotate('rotated'))[0]?.secret;
    expect(after).not.toBe(before);
    expect(await signer().current('rotated')).toEqual([after, before]);
    emulated.clock.advance(WEBHOOK_SECRET_OVERLAP - 1);
    expect(await signer().current('rotated')).toEqual([after, before]);
    emulated.clock.advance(1);
    for (const names of [await secrets.current('rotated'), await signer().current('rotated')])
      expect(names).toEqual([after]);
  });

  it('is cached by a process for one minute', async () => {
    const [remembers, operator] = [signer(), signer()];
    const before = await remembers.current('remembered');
    const secret = (await operator.rotate('remembered'))[0]?.secret;
    emulated.clock.advance(WEBHOOK_SECRET_CACHE - 1);
    expect(await remembers.current('remembered')).toEqual(before);
    emulated.clock.advance(1);
    expect(await remembers.current('remembered')).toEqual([secret, ...before]);
  });

  it('is rotated by one of two simultaneous calls, and the other call fails', async () => {
    await signer().current('raced');
    const outcomes = await Promise.allSettled([signer().rotate('raced'), signer().rotate('raced')]);
    const lost = outcomes.filter(({ status }) => status === 'rejected');
    // If the calls happen to run one after the other, both rotate the secret.
    expect(await signer().current('raced')).toHaveLength(3 - lost.length);
    for (const outcome of lost)
      expect(String((outcome as PromiseRejectedResult).reason)).toContain('was just rotated by another caller');
  });

  it('cannot be read from the table, or decrypted with the permission for secrets of jobs', async () => {
    const [secret = ''] = await signer().current('sealed');
    const sealed = await storedOf('sealed');
    const decoded = sealed.split('.').map((part) => Buffer.from(part, 'base64').toString('latin1'));
    for (const text of [sealed, ...decoded]) {
      expect(text).not.toContain('whsec_');
      expect(text).not.toContain(secret.slice(6));
    }
    const sealing = createSealing();
    // A worker's encryption context must contain its own `endpoint`, which excludes the secrets of other
    // endpoints.
    const contexts: Record<string, string>[] = [
      { endpoint: 'sealed' },
      { endpoint: 'sealed', webhooksOf: 'sealed' },
      { webhooksOf: 'x' },
    ];
    for (const context of contexts) await expect(sealing.open(context, sealed)).rejects.toThrow('cannot be decrypted');
    expect(await sealing.open({ webhooksOf: 'sealed' }, sealed)).toContain(secret);
  });
});
