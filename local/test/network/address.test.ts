import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Address, openAddress, send } from '../../network/address.ts';

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

  describe('whose clients expect 100 Continue for two requests on a connection', () => {
    const requestOf = (length: number, ...more: string[]) =>
      ['POST / HTTP/1.1', 'Host: x', 'Expect: 100-continue', `Content-Length: ${length}`, ...more, '', ''].join('\r\n');
    const LAST = 'Connection: close';
    const responsesIn = (received: string) => received.match(/(?<=HTTP\/1\.1 )\d+|body of [a-z]+/g);

    /** Connects to an address that responds with the request body. */
    async function connectToEcho(): Promise<Socket> {
      address = await openAddress(0);
      address.serve(async (incoming, outgoing) => {
        const body = Buffer.from(`body of ${(await text(incoming)) || 'nothing'}`);
        await send(outgoing, { status: 200, headers: [], body });
      });
      return connect(address.port, '127.0.0.1').setEncoding('latin1');
    }

    it('sends it before each response', async () => {
      const socket = await connectToEcho();
      socket.write(requestOf(0) + requestOf(0, LAST));
      expect(responsesIn(await text(socket))).toEqual([
        '100',
        '200',
        'body of nothing',
        '100',
        '200',
        'body of nothing',
      ]);
    });

    it('sends it to a client that waits with the second body', async () => {
      const socket = await connectToEcho();
      socket.write(`${requestOf(3)}one${requestOf(3, LAST)}`);
      let received = '';
      for await (const chunk of socket) {
        received += chunk;
        if (/of one.*100 Continue/s.test(received)) socket.write('two');
      }
      expect(responsesIn(received)).toEqual(['100', '200', 'body of one', '100', '200', 'body of two']);
    });
  });
});
