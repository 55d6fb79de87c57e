import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsProxy } from '../aws-proxy/server.ts';

type Environment = Pick<AwsProxy, 'environment'>;

/** Returns the credentials of a role's session in the run of the proxy. */
export function credentialsOf({ environment }: Environment, role: string, session = 'session-1') {
  const { AWS_SECRET_ACCESS_KEY = '' } = environment(role, session);
  return { accessKeyId: role, secretAccessKey: AWS_SECRET_ACCESS_KEY, sessionToken: session };
}

/** Returns the headers of a signed request to the proxy, for calls that no SDK would send. */
export async function signedHeaders(
  proxy: Pick<AwsProxy, 'environment' | 'url'>,
  role: string,
  { service, target, body }: { readonly service: string; readonly target: string; readonly body: string },
): Promise<Record<string, string>> {
  const signer = new SignatureV4({
    service,
    region: 'us-east-1',
    credentials: credentialsOf(proxy, role),
    sha256: Hash.bind(undefined, 'sha256'),
  });
  const headers = {
    host: new URL(proxy.url).host,
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': target,
  };
  return (await signer.sign(new HttpRequest({ method: 'POST', path: '/', headers, body }))).headers;
}
