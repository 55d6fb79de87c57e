/**
 * Verifies the signatures of AWS calls. Each request is signed once more with the signer of the SDK and the key that
 * this run gave to the caller; both signatures must be equal. The age of a signature is not limited: only a process
 * that can read the traffic of other processes could repeat a request.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { HttpRequest, parseQueryString } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AccessKeys } from './access-keys.ts';
import { AwsFault } from './aws-fault.ts';
import type { Caller } from './caller.ts';

/**
 * Verifies the signature of a request.
 * @param body the whole body; undefined if it is streamed, and its hash is compared later
 * @throws AwsFault if the signature or the hash of the body is wrong
 */
export type VerifySignature = (incoming: IncomingMessage, caller: Caller, body?: Buffer) => Promise<void>;

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=[^/\s,]+\/\d{8}\/(?<region>[^/\s,]+)\/[^/\s,]+\/aws4_request, ?SignedHeaders=(?<names>[a-z0-9;.-]+), ?Signature=(?<signature>[0-9a-f]{64})$/;
const TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

const SHA256 = /^[0-9a-f]{64}$/;
const CONTENT_HASH = 'x-amz-content-sha256';

const sha256 = Hash.bind(undefined, 'sha256');

function mismatch({ role, service }: Caller): AwsFault {
  const name = service === 's3' ? 'SignatureDoesNotMatch' : 'InvalidSignatureException';
  return new AwsFault(403, name, `The signature of a ${service} call does not match the key of ${role} in this run.`);
}

/** Returns the fault of a body that does not have the hash in its request. */
export const wrongContent = (): AwsFault =>
  new AwsFault(400, 'XAmzContentSHA256Mismatch', `The provided ${CONTENT_HASH} header does not match the body.`);

/** Returns the hash that the body must have; undefined if the caller has not signed one, as S3 allows. */
export function signedContentHash(headers: IncomingHttpHeaders): string | undefined {
  const declared = String(headers[CONTENT_HASH] ?? '');
  return SHA256.test(declared) ? declared : undefined;
}

function pick(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, String(headers[name] ?? '')]));
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Returns the time in `X-Amz-Date`; an invalid date if the header is missing or invalid. */
const dateOf = ({ 'x-amz-date': time }: IncomingHttpHeaders): Date =>
  new Date(String(time ?? '').replace(TIME, '$1-$2-$3T$4:$5:$6Z'));

export function createVerifier({ secretOf }: AccessKeys): VerifySignature {
  /** Signs a request with the headers that its caller has signed. */
  async function sign(
    incoming: IncomingMessage,
    { role, session, service }: Caller,
    { region, names, signingDate }: { region: string; names: readonly string[]; signingDate: Date },
    body: Buffer | undefined,
  ): Promise<string> {
    const { method = '', url = '', headers } = incoming;
    const at = url.indexOf('?');
    const [path, query] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
    const isS3 = service === 's3';
    const signer = new SignatureV4({
      service,
      region,
      credentials: {
        accessKeyId: role,
        secretAccessKey: secretOf(role, session),
        ...(headers['x-amz-security-token'] !== undefined && { sessionToken: session }),
      },
      sha256,
      // S3 signs the path as it is sent.
      uriEscapePath: !isS3,
      applyChecksum: false,
    });
    const request = new HttpRequest({
      method,
      path,
      query: parseQueryString(query),
      headers: pick(headers, names),
      body,
    });
    const signed = await signer.sign(request, { signingDate, signableHeaders: new Set(names) });
    return signed.headers.authorization ?? '';
  }

  return async (incoming, caller, body) => {
    const { headers } = incoming;
    const { region = '', names = '', signature = '' } = AUTHORIZATION.exec(headers.authorization ?? '')?.groups ?? {};
    const signingDate = dateOf(headers);
    if (signature === '' || Number.isNaN(signingDate.getTime())) throw mismatch(caller);
    const signed = await sign(incoming, caller, { region, names: names.split(';'), signingDate }, body);
    if (!isEqual(signed.slice(-signature.length), signature)) throw mismatch(caller);
    const declared = signedContentHash(headers);
    if (body && declared !== undefined && hash('sha256', body) !== declared) throw wrongContent();
  };
}
