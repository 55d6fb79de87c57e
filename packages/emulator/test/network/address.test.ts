import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type Address, type Listener, openAddress, send } from '../../network/address.ts';

/** More bytes than the socket buffers of both sides hold. */
const BODY = Buffer.alloc(30_000_000);

let address: Address | undefined;
afterEach(() => {
  jest.restoreAllMocks();
  return address?.stop();
});

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

  describe('whose client sends requests without waiting for the responses', () => {
    const requestFor = (path: string, ...more: string[]) =>
      [`GET ${path} HTTP/1.1`, 'Host: x', ...more, '', ''].join('\r\n');
    const requests = requestFor('/first') + requestFor('/second?key=x', 'Connection: close');
    const ok = { status: 200, headers: [] };

    /**
     * Sends both requests.
     * @returns all bytes of the responses
     */
    async function responsesOf(listener: Listener): Promise<string> {
      address = await openAddress(0);
      address.serve(listener);
      const socket = connect(address.port, '127.0.0.1').setEncoding('latin1');
      socket.write(requests);
      return text(socket);
    }

    it('handles each of them after the response to the one before', async () => {
      const events: string[] = [];
      await responsesOf(async ({ url }, outgoing) => {
        events.push(`begins ${url}`);
        for (let turn = 0; turn < 10; turn += 1) await setImmediate();
        events.push(`responds to ${url}`);
        await send(outgoing, { ...ok, body: '' });
      });
      expect(events).toEqual([
        'begins /first',
        'responds to /first',
        'begins /second?key=x',
        'responds to /second?key=x',
      ]);
    });

    it('closes the connection after the responses before a request that fails, and reports the failure', async () => {
      const reported = jest.spyOn(console, 'error').mockReturnValue();
      const failure = new Error('The function failed.');
      const received = await responsesOf(async ({ url }, outgoing) => {
        if (url !== '/first') throw failure;
        await setImmediate();
        await send(outgoing, { ...ok, body: 'complete' });
      });
      expect(received).toMatch(/^HTTP\/1.1 200 OK\r\n.*\r\n\r\ncomplete$/s);
      expect(reported.mock.calls).toEqual([['The response to GET /second could not be completed.', failure]]);
    });
  });

  it('reports a body that fails', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const reported = jest.spyOn(console, 'error').mockImplementation(() => resolve());
    const failure = new Error('The function timed out.');
    address = await openAddress(0);
    address.serve(async (_, outgoing) => {
      const body = new PassThrough();
      body.write('begun');
      setTimeout(() => body.destroy(failure), 0);
      await send(outgoing, { status: 200, headers: [], body });
    });
    const received = fetch(`http://127.0.0.1:${address.port}/`).then((response) => response.text());
    await expect(received).rejects.toThrow('terminated');
    // The connection ends before the report.
    await promise;
    expect(reported.mock.calls).toEqual([['The response to GET / could not be completed.', failure]]);
  });

  it('reports nothing if the client closes the connection', async () => {
    const reported = jest.spyOn(console, 'error').mockReturnValue();
    const failed = Promise.withResolvers<unknown>();
    address = await openAddress(0);
    address.serve(async (_, outgoing) => {
      const body = new PassThrough();
      body.write('begun');
      await send(outgoing, { status: 200, headers: [], body }).catch((error: unknown) => {
        failed.resolve(error);
        throw error;
      });
    });
    const leaving = new AbortController();
    await fetch(`http://127.0.0.1:${address.port}/`, { signal: leaving.signal });
    leaving.abort();
    expect(await failed.promise).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
    await setImmediate();
    expect(reported).not.toHaveBeenCalled();
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
