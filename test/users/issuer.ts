/** Issues access tokens over HTTP, with keys and responses that a test sets. */
import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  /** The public key as the issuer publishes it. */
  readonly jwk: object;
}

export function newSigningKey(kid: string = randomUUID()): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' } };
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** @returns a token of three parts, signed as its header states: RS256, HS256 with the public key, or not at all */
export function tokenOf(
  claims: object,
  { kid, privateKey, jwk }: SigningKey,
  header: Readonly<Record<string, unknown>> = {},
): string {
  const { alg } = { alg: 'RS256', ...header };
  const signed = `${part({ typ: 'JWT', alg, kid, ...header })}.${part(claims)}`;
  if (alg === 'none') return `${signed}.`;
  const signature =
    alg === 'HS256'
      ? createHmac('sha256', JSON.stringify(jwk)).update(signed).digest()
      : sign('sha256', Buffer.from(signed), privateKey);
  return `${signed}.${signature.toString('base64url')}`;
}

export interface TestIssuer {
  readonly issuer: string;
  /** The keys that the issuer publishes. */
  readonly keys: SigningKey[];
  /** @returns the number of reads of the keys */
  readonly reads: () => number;
  /** Sets the status of the issuer's responses. */
  answerWith(status: number): void;
  stop(): Promise<void>;
}

/** Serves the keys at the path that Cognito uses, below the address of the pool. */
export async function startIssuer(): Promise<TestIssuer> {
  const keys = [newSigningKey()];
  let [reads, status] = [0, 200];
  const server = createServer((request, response) => {
    reads += 1;
    response.statusCode = request.url === '/eu_pool/.well-known/jwks.json' ? status : 404;
    response.end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    issuer: `http://127.0.0.1:${port}/eu_pool`,
    keys,
    reads: () => reads,
    answerWith(next) {
      status = next;
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
