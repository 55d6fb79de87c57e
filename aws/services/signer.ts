/**
 * Signs requests with Signature Version 4, as AWS describes it, for the clients of this folder: their requests have no
 * query, and S3 expects the path in a signature as it is sent. The SDK's own signer needs about twice as long, because it
 * looks for its key with one more HMAC, and waits for hashes that are available at once (ADR 0027).
 */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import { HttpRequest } from '@smithy/core/protocols';

const ALGORITHM = 'AWS4-HMAC-SHA256';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface SignerOptions {
  credentials(): Promise<Credentials>;
  region(): Promise<string>;
  /** The name of the service in signatures. */
  readonly service: string;
}

export interface Signer {
  /**
   * @param signingDate the time at AWS
   * @returns the request with its signature, and with the headers that the signature needs
   */
  sign(request: HttpRequest, options: { readonly signingDate: Date }): Promise<HttpRequest>;
}

const hmac = (key: KeyObject | Buffer | string, text: string) => createHmac('sha256', key).update(text);

/** The key of the signatures of one day. */
function keyOf(secret: string, scope: string): KeyObject {
  const key = scope.split('/').reduce<Buffer | string>((before, part) => hmac(before, part).digest(), `AWS4${secret}`);
  return createSecretKey(key as Buffer);
}

/** Spaces at the ends of a value, and repeated spaces, are not signed. */
const signedValue = (value = '') => value.trim().replaceAll(/ +/g, ' ');

export function createSigner({ credentials, region, service }: SignerOptions): Signer {
  let latest: { readonly secret: string; readonly scope: string; readonly key: KeyObject } | undefined;

  return {
    async sign(request, { signingDate }) {
      const { accessKeyId, secretAccessKey: secret, sessionToken } = await credentials();
      const time = signingDate.toISOString().replaceAll(/[-:]|\.\d+/g, '');
      const scope = `${time.slice(0, 8)}/${await region()}/${service}/aws4_request`;
      if (latest?.scope !== scope || latest.secret !== secret) latest = { secret, scope, key: keyOf(secret, scope) };
      const { method, path, body } = request;
      const content = hash('sha256', body ?? '');
      const headers: Record<string, string> = {
        ...request.headers,
        'x-amz-content-sha256': content,
        'x-amz-date': time,
      };
      if (sessionToken !== undefined) headers['x-amz-security-token'] = sessionToken;
      const names = Object.keys(headers).toSorted((one, other) => (one < other ? -1 : 1));
      const lines = names.map((name) => `${name}:${signedValue(headers[name])}\n`).join('');
      const signed = names.join(';');
      const canonical = `${method}\n${path}\n\n${lines}\n${signed}\n${content}`;
      const signature = hmac(latest.key, `${ALGORITHM}\n${time}\n${scope}\n${hash('sha256', canonical)}`).digest('hex');
      headers.authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
      return new HttpRequest({ ...request, headers });
    },
  };
}
