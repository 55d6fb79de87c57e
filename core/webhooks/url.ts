/** Validates the URLs of webhooks. Their host names are resolved and checked when they are called, and not before. */
import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { webhookUrlLimits } from '../limits.ts';
import { shown } from '../validation.ts';
import { type AllowedNetworks, allowedNetworks, isCallable } from './address.ts';

const { characters, ports, freePorts } = webhookUrlLimits;

/** Characters that parsers read differently: white space, control characters, and the backslash, to some a slash. */
const AMBIGUOUS = /[\p{White_Space}\p{Cc}\p{Cf}\\]/u;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const HTTP = /^https?:\/\/[^/]/i;
const CREDENTIALS = /^https?:\/\/[^/?#]*@/i;

/** Returns the host of the URL if it is an IP address: without brackets, as sockets take it. */
export function addressIn({ hostname }: URL): string | undefined {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(host) === 0 ? undefined : host;
}

/** Returns the port of the URL, or the default port of its scheme. */
export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

const mayBePort = (port: number): boolean =>
  ports.some((known) => known === port) || (port >= freePorts.min && port <= freePorts.max);

/** Checks the text before it is parsed, because parsers correct many faults, each in its own way. */
function flawOfText(text: string): string | undefined {
  if (text.length > characters) return `must have at most ${characters} characters, got ${text.length}`;
  if (AMBIGUOUS.test(text)) return 'must have no white space, control characters or backslashes: percent-encode them';
  if (!HTTP.test(text)) return `must begin with http:// or https:// and a host, got ${shown(SCHEME.exec(text)?.[0])}`;
  if (CREDENTIALS.test(text)) return 'must have no user name or password before its host';
  if (text.includes('#')) return 'must have no fragment: what follows # is never sent';
  if (!URL.canParse(text)) return 'must be a URL such as https://example.com/hook';
}

function flawOfUrl(url: URL): string | undefined {
  const port = portOf(url);
  if (!mayBePort(port))
    return `must name port ${ports.join(', ')} or one from ${freePorts.min} to ${freePorts.max}, got ${port}`;
}

/**
 * Returns a clause such as `must have …` that says what is wrong with a webhook's URL, except for its address. It shows
 * the wrong part alone, because paths and queries of webhooks hold secrets.
 */
export const flawOf = (text: string): string | undefined => flawOfText(text) ?? flawOfUrl(new URL(text));

function flawOfAddress(text: string, networks: AllowedNetworks): string | undefined {
  const address = addressIn(new URL(text));
  if (address !== undefined && !isCallable(address, networks)) return `must lead to a public address, got ${address}`;
}

/**
 * The schema of a webhook's URL as clients send it. Use it with `validateSecret`: its messages show of the value only
 * the parts that are no secret.
 * @param allow networks that are not public and may be called, see `allowedNetworks`
 */
export function webhookUrl(allow: readonly string[] = []) {
  const networks = allowedNetworks(allow);
  return z.string({ error: ({ input }) => `must be a string, got ${shown(input)}` }).check(
    z.superRefine((text, context) => {
      const message = flawOf(text) ?? flawOfAddress(text, networks);
      if (message !== undefined) context.addIssue({ code: 'custom', message, input: text });
    }),
  );
}
