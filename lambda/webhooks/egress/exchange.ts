/** Sends one HTTP request to addresses that have been checked, and reads the status of the response. */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { PostOutcome } from '../../../core/webhooks/store.ts';
import { addressIn, portOf } from '../../../core/webhooks/url.ts';
import { type FailureReason, failed } from './outcome.ts';

/** Times in milliseconds, sizes in bytes, and the number of interim responses: see `webhookCallLimits`. */
export interface CallLimits {
  readonly name: number;
  readonly connect: number;
  readonly answer: number;
  readonly head: number;
  readonly interim: number;
  readonly body: { readonly bytes: number; readonly time: number };
}

export interface Call {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns a function that resolves every name to the checked addresses, even if the name has new addresses now. */
const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_host, _options, answer) =>
    answer(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );

function requestOptions(url: URL, addresses: readonly string[], call: Call, limits: CallLimits): RequestOptions {
  const host = addressIn(url) ?? url.hostname;
  return {
    method: 'POST',
    host,
    port: portOf(url),
    path: url.pathname + url.search,
    headers: call.headers,
    lookup: lookupOf(addresses),
    maxHeaderSize: limits.head,
    // Set here, because environment variables can weaken the defaults.
    insecureHTTPParser: false,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    // The server name has no trailing dot. Addresses are not server names, and are compared with the certificate's
    // addresses.
    servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
  };
}

/**
 * Each call has its own agent, without a proxy, so that it cannot reuse a connection to earlier addresses of the name.
 */
function requestTo(url: URL, options: RequestOptions, limits: CallLimits): ClientRequest {
  const agentOptions = {
    keepAlive: false,
    // If a host has several addresses, an unresponsive one does not use up the time of the others.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.ceil(limits.connect / 4),
  };
  return url.protocol === 'https:'
    ? httpsRequest({ ...options, agent: new HttpsAgent(agentOptions) })
    : httpRequest({ ...options, agent: new HttpAgent(agentOptions) });
}

/** The phase of the call, used as the reason if the call fails in this phase. */
type Phase = Extract<FailureReason, 'CONNECT' | 'TLS' | 'CLOSED'>;

/**
 * Sends the call to the first address that accepts a connection. The promise never rejects, and takes at most
 * `limits.answer` and then `limits.body.time`. A host that sends no status within `limits.answer` counts as not
 * answering.
 */
export function exchange(url: URL, addresses: readonly string[], call: Call, limits: CallLimits): Promise<PostOutcome> {
  const { promise, resolve } = Promise.withResolvers<PostOutcome>();
  const request = requestTo(url, requestOptions(url, addresses, call, limits), limits);
  let phase: Phase = 'CONNECT';
  let interim = 0;
  let answered: PostOutcome | undefined;

  const stopTimers = () => {
    for (const timer of timers) clearTimeout(timer);
  };
  // Later events, such as the error of the closed connection, change nothing.
  const end = (outcome: PostOutcome) => {
    stopTimers();
    request.destroy();
    resolve(outcome);
  };
  // The socket's own timeout would begin again with each byte.
  const timers = [
    setTimeout(() => phase !== 'CLOSED' && end(failed('TIMEOUT')), limits.connect),
    setTimeout(() => end(failed('TIMEOUT')), limits.answer),
  ];

  request.on('socket', (socket: Socket) => {
    socket.once('connect', () => {
      phase = url.protocol === 'https:' ? 'TLS' : 'CLOSED';
    });
    socket.once('secureConnect', () => {
      phase = 'CLOSED';
    });
  });
  request.on('information', () => {
    interim += 1;
    if (interim > limits.interim) end(failed('INVALID_ANSWER'));
  });
  request.on('upgrade', (_response, socket) => {
    socket.destroy();
    end(failed('INVALID_ANSWER'));
  });
  // An error after the status changes nothing.
  request.on('error', (error: NodeJS.ErrnoException) =>
    end(answered ?? failed(error.code?.startsWith('HPE_') ? 'INVALID_ANSWER' : phase)),
  );
  request.on('response', (response: IncomingMessage) => {
    const outcome = { answered: true, status: response.statusCode ?? 0 } as const;
    answered = outcome;
    const done = () => end(outcome);
    stopTimers();
    // The body is read for a limited time, so that a host with a short response sees a normal end.
    let bytes = 0;
    timers.push(setTimeout(done, limits.body.time));
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limits.body.bytes) done();
    });
    for (const event of ['end', 'close', 'error']) response.on(event, done);
  });
  request.end(call.body);
  return promise;
}
