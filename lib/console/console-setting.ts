/**
 * The settings `console` and `consoleAllow`: whether the deployment has the console, and which networks may open it.
 */
import { isIP } from 'node:net';
import type { IConstruct } from 'constructs';
import type { Setting } from '../settings/field-text.ts';
import { InvalidSetting } from '../settings/settings.ts';
import { type IdentityProvider, identityProviderOf } from '../users/identity-provider.ts';

const CONSOLE = 'console';
const OFF = 'off';
const ALLOW = 'consoleAllow';
/** Maximum number of networks, because the code of the function that compares addresses must not exceed 10 KB. */
const MAX_NETWORKS = 50;

export interface ConsoleSettings {
  /** Networks such as `203.0.113.0/24`. An empty list allows every network. */
  readonly allow: readonly string[];
  /** @default - users sign in only with passwords and passkeys of the user pool */
  readonly identityProvider: IdentityProvider | undefined;
}

/** An address in the notation of CloudFront: IPv6 without a zone, and without an IPv4 address at its end. */
const PLAIN = /^[\d.]+$|^[\da-f:]+$/i;

/** Reports whether a string is a network: an address, a slash and a number of bits. */
function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  const family = isIP(address);
  return (
    more.length === 0 &&
    family !== 0 &&
    PLAIN.test(address) &&
    /^\d{1,3}$/.test(bits) &&
    Number(bits) <= (family === 4 ? 32 : 128)
  );
}

/**
 * Reads the context `consoleAllow`: networks separated by commas, or a list.
 * @throws InvalidSetting
 */
export function consoleAllowOf(scope: IConstruct): readonly string[] {
  const value: unknown = scope.node.tryGetContext(ALLOW);
  if (value === undefined || value === '') return [];
  const entries: readonly unknown[] =
    typeof value === 'string' ? value.split(',').map((each) => each.trim()) : [value].flat();
  const networks = entries.filter((entry) => typeof entry === 'string').filter(isNetwork);
  if (entries.length > 0 && entries.length <= MAX_NETWORKS && networks.length === entries.length) return networks;
  throw new InvalidSetting(
    `The context \`${ALLOW}\` must be 1 to ${MAX_NETWORKS} networks such as 203.0.113.0/24,2001:db8::/32, got ${JSON.stringify(value)}.`,
  );
}

/**
 * Reports whether the deployment has the console: the context `console` is not `off`.
 * @throws InvalidSetting
 */
export function hasConsole(scope: IConstruct): boolean {
  const value: unknown = scope.node.tryGetContext(CONSOLE);
  if (value === OFF) return false;
  if (value === undefined || value === '') return true;
  throw new InvalidSetting(`The context \`${CONSOLE}\` must be ${OFF} or omitted, got ${JSON.stringify(value)}.`);
}

/**
 * Reads the settings.
 * @returns undefined if the deployment has no console
 * @throws InvalidSetting
 */
export const consoleOf = (scope: IConstruct): ConsoleSettings | undefined =>
  hasConsole(scope) ? { allow: consoleAllowOf(scope), identityProvider: identityProviderOf(scope) } : undefined;

export const consoleSetting: Setting = {
  read: hasConsole,
  text: {
    description: `With \`${OFF}\`, the deployment has no web console.`,
    type: 'string',
    without: 'the deployment has the console',
    allowed: `\`${OFF}\``,
    guide: 'console',
  },
};

export const consoleAllowSetting: Setting = {
  read: consoleAllowOf,
  text: {
    description: 'Networks from which browsers can open the console.',
    type: 'string or list of strings',
    without: 'all networks',
    allowed: `1 to ${MAX_NETWORKS} networks such as \`203.0.113.0/24,2001:db8::/32\`, separated by commas or as a list`,
    guide: 'console',
  },
};
