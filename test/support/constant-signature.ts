/**
 * Signs all calls to emulators with the same signature. The emulators check only that a call has a signature, and
 * computing one needs a tenth of the time of a call.
 */
import type { OnClient } from '../../aws/clients.ts';

const signature = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=test/20400101/us-east-1/test/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20400101T000000Z',
};

interface HttpRequest {
  readonly headers: Record<string, string>;
}

export const constantSigner = {
  async sign(request: HttpRequest): Promise<HttpRequest> {
    Object.assign(request.headers, signature);
    return request;
  },
};

/** Makes the client use the constant signature. */
export const withConstantSignature: OnClient = (client) => {
  Object.assign(client.config, { signer: async () => constantSigner });
};
