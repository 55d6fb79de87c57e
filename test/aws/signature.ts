/** Computes the signature of a request from AWS's description of Signature Version 4, without the SDK. */
import { createHash, createHmac } from 'node:crypto';
import type { Received } from './small-aws.ts';

const hash = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();

/** Returns the signature that a request should have, and the signature that it has. */
export function signaturesOf(request: Received, secret: string): { readonly right: string; readonly sent: string } {
  const { method, path, headers, body } = request;
  const parts = /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/;
  const [, scope = '', names = '', sent = ''] = parts.exec(headers.authorization ?? '') ?? [];
  const canonical = [
    ...[method, path, ''],
    ...names.split(';').map((name) => `${name}:${headers[name]?.trim().replace(/ +/g, ' ')}`),
    ...['', names, hash(body)],
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secret}`);
  return { right: hmac(key, text).toString('hex'), sent };
}
