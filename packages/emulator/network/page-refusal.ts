/**
 * Refuses requests of web pages. A page can send requests to every port of its visitor's machine, and can point a
 * domain of its own at this machine, so that a browser lets it read the responses. Programs send neither an `Origin`
 * nor a `Sec-Fetch-Site` header, and name this machine as `Host`.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** Matches a `Host` header with a name of this machine, and its port. */
const OWN_HOST = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost|\[::1\])(?::\d+)?$/i;

/** Returns whether the `Host` header names this machine. */
export const namesThisMachine = ({ host }: IncomingHttpHeaders): boolean => OWN_HOST.test(host ?? '');

/** Returns why a request is refused; undefined if it is not. */
export function pageRefusal(headers: IncomingHttpHeaders): string | undefined {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    return 'Requests of web pages are refused: only programs of this machine can call this port.';
  if (!namesThisMachine(headers))
    return `The Host header is ${JSON.stringify(headers.host ?? '')}; it must be 127.0.0.1 or localhost, with the port.`;
  return undefined;
}

/**
 * Refuses the request if a web page has sent it.
 * @returns whether the request was refused
 */
export function refusePage(incoming: { headers: IncomingHttpHeaders; resume(): unknown }, outgoing: ServerResponse) {
  const error = pageRefusal(incoming.headers);
  if (error === undefined) return false;
  incoming.resume();
  const body = JSON.stringify({ error });
  outgoing.writeHead(403, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body);
  return true;
}
