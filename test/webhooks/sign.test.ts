import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { DAY, MINUTE, SECOND, WEBHOOK_SECRET_OVERLAP } from '../../core/limits.ts';
import { activeSecrets, newWebhookSecret, rotateSecrets, sign } from '../../core/webhooks/signing.ts';

const secretOf = () => newWebhookSecret(randomBytes(32));
const [own, other] = [secretOf(), secretOf()];
const body = '{"id":"a","output":"é 🎉 12345678901234567890","n":-0}';
const delivery = { id: 'msg_1', timestamp: Date.now(), body, secrets: [own] };

/** Verifies with the reference library of Standard Webhooks. */
const verify =
  (secret: string, headers: Record<string, string>, text = body) =>
  () =>
    new Webhook(secret).verify(text, headers);

describe('a signature', () => {
  it('equals the signature of the example in the specification', () => {
    // From the test "sign function works" of the reference library.
    const signed = sign({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1614265330 * SECOND + 999,
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    });
    expect(signed).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is verified by the reference library for any body', () => {
    for (const text of [body, '{}', '"\\u0000"', `"${'é'.repeat(100_000)}"`])
      expect(verify(own, sign({ ...delivery, body: text }), text)()).toEqual(JSON.parse(text));
  });

  it.each([
    ['another secret', other, {}, body],
    ['another body', own, {}, body.replace('-0', '0')],
    ['another id', own, { 'webhook-id': 'msg_2' }, body],
    ['another time', own, { 'webhook-timestamp': String(Math.floor(Date.now() / SECOND) - 60) }, body],
    ['another version', own, { 'webhook-signature': sign(delivery)['webhook-signature'].replace('v1', 'v2') }, body],
  ])('is refused with %s', (_, secret, headers, text) => {
    expect(verify(secret, { ...sign(delivery), ...headers }, text)).toThrow('No matching signature found');
  });

  it('is refused if it is old, as in a replay', () => {
    const old = sign({ ...delivery, timestamp: delivery.timestamp - 6 * MINUTE });
    expect(verify(own, old)).toThrow('too old');
  });

  it('is sent for each active secret, the newest first', () => {
    const both = sign({ ...delivery, secrets: [other, own] });
    expect(both['webhook-signature'].split(' ')).toHaveLength(2);
    for (const secret of [own, other]) expect(verify(secret, both)).not.toThrow();
    expect(verify(secretOf(), both)).toThrow('No matching signature found');
  });
});

describe('a secret', () => {
  const made = (secret: string, madeAt: number) => rotateSecrets([], secret, madeAt);

  it('has as many bytes as Standard Webhooks requires', () => {
    expect(own).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
    expect(() => newWebhookSecret(randomBytes(16))).toThrow('32 random bytes');
  });

  it('signs for one more day after a rotation', () => {
    const both = rotateSecrets(made(own, 0), other, 10 * DAY);
    expect(both.map(({ secret }) => secret)).toEqual([other, own]);
    const at = (time: number) => activeSecrets(both, time).map(({ secret }) => secret);
    expect(at(10 * DAY + WEBHOOK_SECRET_OVERLAP - 1)).toEqual([other, own]);
    expect(at(10 * DAY + WEBHOOK_SECRET_OVERLAP)).toEqual([other]);
    expect(at(1000 * DAY)).toEqual([other]);
  });

  it('does not sign for longer because of another rotation', () => {
    const newest = secretOf();
    const all = rotateSecrets(rotateSecrets(made(own, 0), other, DAY), newest, DAY + MINUTE);
    expect(all).toEqual([
      { secret: newest, madeAt: DAY + MINUTE },
      { secret: other, madeAt: DAY, until: 2 * DAY + MINUTE },
      { secret: own, madeAt: 0, until: 2 * DAY },
    ]);
    expect(rotateSecrets(all, secretOf(), 3 * DAY).map(({ secret }) => secret)).not.toContain(own);
  });

  it('is refused while 5 secrets sign, until the oldest has expired', () => {
    const rotate = (secrets: ReturnType<typeof made>, now: number) => rotateSecrets(secrets, secretOf(), now);
    const full = [1, 2, 3, 4].reduce(rotate, made(own, 0));
    expect(() => rotate(full, 5)).toThrow(
      'The endpoint already has 5 secrets that sign, which is the maximum. Rotate again after 1970-01-02T00:00:00.001Z.',
    );
    expect(rotate(full, DAY + 1)).toHaveLength(5);
  });
});
