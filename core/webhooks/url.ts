/** Validates the URLs of webhooks. Host names are resolved and checked only when the webhook is called. */
import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { webhookUrlLimits } from '../limits.ts';
import { shown } from '../requests/validation.ts';
import { type AllowedNetworks, allowedNetworks, isCallable } from './address.ts';

const { characters, ports, freePorts } = webhookUrlLimits;

/**
 * Characters that parsers treat differently: white space, control characters, and the backslash, which some read
 * as a slash.
 */
const AMBIGUOUS = /[\p{White_Space}\p{Cc}\p{Cf}\\]/u;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const HTTP = /^https?:\/\/[^/]/i;
const CREDENTIALS = /^https?:\/\/[^/?#]*@/i;

/** Returns the host of the URL if it is an IP address, without brackets, as sockets require. */
export function addressIn({ hostname }: URL): string | undefined {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(host) === 0 ? undefined : host;
}

/** Returns the port of the URL, or the default port of its scheme. */
export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

const mayBePort = (port: number): boolean =>
  ports.some((known) => known === port) || (port >= freePorts.min && port <= freePorts.max);

/** Checks the URL before it is parsed, because parsers correct many faults in different ways. */
function flawOfText(text: string): string | undefined {
  if (text.length > characters) return `must have at most ${characters} characters, got ${text.length}`;
  if (AMBIGUOUS.test(text))
    return 'must not contain white space, control characters or backslashes: percent-encode them';
  if (!HTTP.test(text)) {
    const [scheme] = SCHEME.exec(text) ?? [];
    return `must begin with http:// or https:// and a host${scheme === undefined ? '' : `, got ${shown(scheme)}`}`;
  }
  if (CREDENTIALS.test(text)) return 'must not contain a user name or password before the host';
  if (text.includes('#')) return 'must not contain a fragment: remove # and the text after it';
  if (!URL.canParse(text)) return 'must be a URL such as https://example.com/hook';
}

function flawOfUrl(url: URL): string | undefined {
  const port = portOf(url);
  if (!mayBePort(port))
    return `must have port ${ports.join(', ')} or a port from ${freePorts.min} to ${freePorts.max}, got ${port}`;
}

/**
 * Returns a clause such as `must have …` if a webhook's URL is invalid, without checking its address. The clause
 * shows only the wrong part, because paths and queries of webhooks can contain secrets.
 */
export const flawOf = (text: string): string | undefined => flawOfText(text) ?? flawOfUrl(new URL(text));

function flawOfAddress(text: string, networks: AllowedNetworks): string | undefined {
  const address = addressIn(new URL(text));
  if (address !== undefined && !isCallable(address, networks)) return `must have a public address, got ${address}`;
}

/**
 * Returns the schema of a webhook's URL. Use it with `validateSecret`, because its messages already show the parts of
 * the value that are not secret.
 * @param allow private networks to which webhooks can be sent, see `allowedNetworks`
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
