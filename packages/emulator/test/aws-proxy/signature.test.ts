/** Tests which requests the proxy accepts: those that a program of this run has signed. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeclaredStatement } from '../../iam/statement.ts';
import { credentialsOf, signedHeaders } from '../credentials.ts';
import { type SmallProxy, startSmallProxy } from './small-proxy.ts';

let small: SmallProxy;

beforeAll(async () => {
  small = await startSmallProxy();
});
afterAll(() => small.stop());

const everything: DeclaredStatement = { Effect: 'Allow', Action: '*', Resource: '*' };
const body = JSON.stringify({ TableName: 'jobs', Key: { partition: { S: 'p' }, id: { S: 'i' } } });
const target = 'DynamoDB_20120810.GetItem';

type Headers = Readonly<Record<string, string>>;

/** Sends a request over a socket of its own, which sets no header by itself. */
async function send(headers: Headers, content = body): Promise<{ status: number; said: string }> {
  const { hostname, port } = new URL(small.proxy.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': String(content.length) });
  socket.write(`POST / HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${content}`);
  const answer = await text(socket);
  return { status: Number(answer.split(' ')[1]), said: answer.slice(answer.indexOf('\r\n\r\n') + 4) };
}

const signed = (role = 'operator') => signedHeaders(small.proxy, role, { service: 'dynamodb', target, body });

const withSignature = ({ authorization = '', ...rest }: Record<string, string>, signature: string) => ({
  ...rest,
  authorization: authorization.replace(/Signature=.*/, `Signature=${signature}`),
});

describe('a signed request', () => {
  it('is performed', async () => {
    expect(await send(await signed())).toEqual({ status: 200, said: '{}' });
  });

  it.each<[string, (headers: Record<string, string>) => Headers]>([
    ['a signature of zeros', (headers) => withSignature(headers, '0'.repeat(64))],
    ['an empty signature', (headers) => withSignature(headers, '')],
    ['another operation', (headers) => ({ ...headers, 'x-amz-target': 'DynamoDB_20120810.DeleteItem' })],
    ['another time', (headers) => ({ ...headers, 'x-amz-date': '20300101T000000Z' })],
    ['no time', ({ 'x-amz-date': _, ...headers }) => headers],
    ['another session', (headers) => ({ ...headers, 'x-amz-security-token': 'session-2' })],
    [
      'another role',
      ({ authorization = '', ...headers }) => ({
        ...headers,
        authorization: authorization.replace('operator', 'other'),
      }),
    ],
    [
      'another service',
      ({ authorization = '', ...headers }) => ({ ...headers, authorization: authorization.replace('dynamodb', 'sqs') }),
    ],
  ])('is refused with %s', async (_, change) => {
    small.role('other', everything);
    const { status, said } = await send(change(await signed()));
    expect([status, JSON.parse(said)]).toMatchObject([403, { __type: 'InvalidSignatureException' }]);
  });

  it('is refused with another body', async () => {
    const { status, said } = await send(await signed(), body.replace('"p"', '"q"'));
    expect([status, JSON.parse(said)]).toMatchObject([400, { __type: 'XAmzContentSHA256Mismatch' }]);
  });

  it('is refused with the key of an earlier run', async () => {
    const [earlier, later] = [await startSmallProxy(), small];
    await earlier.stop();
    const keys = [earlier, later].map(({ proxy }) => credentialsOf(proxy, 'operator').secretAccessKey);
    expect(new Set(keys).size).toBe(2);
    const headers = await signedHeaders(
      { environment: earlier.proxy.environment, url: later.proxy.url },
      ...(['operator', { service: 'dynamodb', target, body }] as const),
    );
    expect((await send(headers)).status).toBe(403);
  });
});

describe('a request of a web page', () => {
  it.each<[string, Headers]>([
    ['an Origin', { origin: 'https://evil.example' }],
    ['the Origin of this address', { origin: 'http://127.0.0.1' }],
    ['a Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
    ['a Host of its own', { host: 'evil.example:80' }],
    ['a Host that begins like a name of this machine', { host: '127.0.0.1.evil.example' }],
    ['no name as Host', { host: '' }],
  ])('is refused with 403 and the reason: %s', async (_, headers) => {
    const { status, said } = await send({ ...(await signed()), ...headers });
    expect(status).toBe(403);
    expect(JSON.parse(said)).toEqual({ error: expect.stringMatching(/^(Requests of web pages|The Host header) /) });
  });
});

describe('an object', () => {
  it('is not stored if it differs from the hash that its caller has signed', async () => {
    const s3 = small.s3('operator');
    s3.middlewareStack.add(
      (next) => (call) => {
        (call.request as { body: unknown }).body = 'wrong';
        return next(call);
      },
      // After the signature.
      { step: 'finalizeRequest', priority: 'low' },
    );
    const Key = 'changed-on-its-way';
    const put = s3.send(new PutObjectCommand({ Bucket: 'files', Key, Body: 'right' }));
    await expect(put).rejects.toMatchObject({ name: 'XAmzContentSHA256Mismatch' });
    const read = small.s3('operator').send(new GetObjectCommand({ Bucket: 'files', Key }));
    await expect(read).rejects.toMatchObject({ name: 'NoSuchKey' });
  });
});
