import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Address, openAddress } from '../../network/address.ts';

/** More bytes than the socket buffers of both sides hold. */
const BODY = Buffer.alloc(30_000_000);

let address: Address | undefined;
afterEach(() => address?.stop());

describe('an address', () => {
  it('discards the rest of a request that is answered early, so that the client can read the response', async () => {
    address = await openAddress(0);
    address.serve(async (incoming, outgoing) => {
      const target = incoming.pipe(new PassThrough());
      await once(target, 'readable');
      outgoing.writeHead(413).end('too large');
    });
    const sent = request({ host: '127.0.0.1', port: address.port, method: 'POST' });
    const answered = once(sent, 'response');
    await new Promise<void>((resolve) => sent.end(BODY, () => resolve()));
    const [response] = (await answered) as [IncomingMessage];
    expect([response.statusCode, await text(response)]).toEqual([413, 'too large']);
  });
});
