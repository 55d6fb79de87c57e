/** Tests of the request that the form of a new key sends, and of the command that is shown with a new key. */
import { describe, expect, it } from '@jest/globals';
import { curlFor } from '../../pages/keys/curl.ts';
import { emptyGrant, type GrantDraft, grantOf, missingOf } from '../../pages/keys/grant.ts';
import { type ApiKey, isExpired } from '../../pages/keys/key.ts';

const now = Date.parse('2026-11-23T10:00:00Z');
const draft = (changes: Partial<GrantDraft> = {}): GrantDraft => ({ ...emptyGrant, name: 'ci', ...changes });

describe('the form of a new key', () => {
  it('permits every endpoint and operation for 90 days unless the user narrows it', () => {
    expect(grantOf(draft({ name: ' ci ', owner: ' ' }), now)).toEqual({
      name: 'ci',
      endpoints: ['*'],
      operations: ['*'],
      scopes: [],
      expiresAt: '2027-02-21T10:00:00.000Z',
    });
  });

  it('sends what the user chose', () => {
    const chosen = { owner: 'team-a', endpoints: ['echo'], operations: ['run'], scopes: ['templates:read'] };
    expect(grantOf(draft({ ...chosen, lifetime: 'never' }), now)).toEqual({ name: 'ci', ...chosen });
  });

  it('reads a date as its beginning in UTC', () => {
    expect(grantOf(draft({ lifetime: 'date', date: '2027-01-31' }), now).expiresAt).toBe('2027-01-31T00:00:00.000Z');
  });

  it.each([
    [{ name: ' ' }, 'name', 'Enter what the key is for.'],
    [{ endpoints: [] }, 'endpoints', 'Choose an endpoint or "Every endpoint".'],
    [{ operations: [] }, 'operations', 'Choose an operation or "Every operation".'],
    [{ lifetime: 'date', date: '2026-' }, 'expiresAt', 'Enter the date as YYYY/MM/DD.'],
    [{ lifetime: 'date', date: '2026-11-23' }, 'expiresAt', 'Enter a date in the future.'],
  ] as const)('is not sent with %j', (changes, field, text) => {
    expect(missingOf(draft(changes), now)).toEqual({ [field]: text });
  });

  it.each([
    [{}],
    [{ operations: ['health'], scopes: ['templates:read'] }],
    [{ lifetime: 'date', date: '2026-11-24' }],
    [{ lifetime: 'never' }],
  ] as const)('is sent with %j', (changes) => {
    expect(missingOf(draft(changes), now)).toEqual({});
  });
});

describe('the command of a new key', () => {
  const key = (operations: string[], endpoints = ['*'], scopes: ApiKey['scopes'] = []) => ({
    operations,
    endpoints,
    scopes,
  });
  const origin = 'https://example.com';

  it('submits a job to the first endpoint', () => {
    expect(curlFor(key(['*']), ['echo', 'llama'], origin)).toBe(
      `curl https://example.com/v2/echo/run -H "Authorization: Bearer $API_KEY" -d '{"input": {"text": "hello"}}'`,
    );
  });

  it('calls an endpoint of the key', () => {
    expect(curlFor(key(['health'], ['llama']), ['echo'], origin)).toBe(
      'curl https://example.com/v2/llama/health -H "Authorization: Bearer $API_KEY"',
    );
  });

  it('does not need an endpoint if none is deployed', () => {
    expect(curlFor(key(['*']), [], origin)).toBe(
      'curl https://example.com/v1/endpoints -H "Authorization: Bearer $API_KEY"',
    );
  });

  it('lists templates with a key for templates only', () => {
    expect(curlFor(key([], ['*'], ['templates:read']), ['echo'], origin)).toContain(
      'https://example.com/v1/templates ',
    );
  });

  it('is absent if the key permits none of the known calls', () => {
    expect(curlFor(key(['cancel']), ['echo'], origin)).toBeUndefined();
  });
});

describe('the expiry of a key', () => {
  it.each([
    ['none', {}, false],
    ['now', { expiresAt: '2026-11-23T10:00:00.000Z' }, true],
    ['1 ms later', { expiresAt: '2026-11-23T10:00:00.001Z' }, false],
  ])('%s: isExpired of %j is %s', (_, key, expected) => {
    expect(isExpired(key, now)).toBe(expected);
  });
});
