/** The setting `identityProvider`: a SAML or OIDC provider for sign-in to the console, in addition to passwords. */
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';
import { shown } from '../../core/validation.ts';
import { InvalidSetting, parseSetting } from '../settings/settings.ts';

const SETTING = 'identityProvider';

/** A valid name of a provider. Cognito allows longer names, but the names of users and groups contain this name. */
const NAME = /^(?!(?:cognito|google|facebook|loginwithamazon|signinwithapple)$)[a-z][a-z0-9-]{2,31}$/i;
const CLAIM = /^[\w.:/=+@-]{1,256}$/;
const SECRET = /^[\w/+=.@-]{1,512}$/;

const nameMust =
  'must be 3 to 32 letters, digits and hyphens that begin with a letter, such as Okta, and not a name that Cognito reserves (Cognito, Google, Facebook, LoginWithAmazon, SignInWithApple)';
const claimMust = 'must be the name of the claim with the mail address, of at most 256 characters';
const urlMust = 'must be an address that begins with https://, without user, query and fragment';
const clientMust = 'must be the id that the provider has given to the console, of at most 255 characters';
const secretMust = 'must be the name of a secret of Secrets Manager, such as console/oidc, and not the secret itself';

function isAddress(text: string, mayAsk: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return protocol === 'https:' && username + password + hash === '' && (mayAsk || search === '');
}

const address = (must: string, mayAsk = false) =>
  z.string(must).check(z.refine((text) => isAddress(text, mayAsk), must));

const name = z.string(nameMust).check(z.regex(NAME, nameMust));
const claim = z.string(claimMust).check(z.regex(CLAIM, claimMust));

const metadataMust = 'must be the address of the metadata of the provider, which begins with https://';

const saml = z.strictObject({
  type: z.literal('saml'),
  name,
  metadataUrl: address(metadataMust, true),
  /** The user attribute with the mail address. */
  email: z._default(claim, 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress'),
});

const oidc = z.strictObject({
  type: z.literal('oidc'),
  name,
  issuer: address(urlMust),
  client: z.string(clientMust).check(z.regex(/^\S{1,255}$/, clientMust)),
  /** Name of a secret in Secrets Manager. Its whole value is the client secret. */
  clientSecret: z.string(secretMust).check(z.regex(SECRET, secretMust)),
  /** Name of the claim with the mail address. */
  email: z._default(claim, 'email'),
});

export type IdentityProvider = z.output<typeof saml> | z.output<typeof oidc>;

const typeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;

/**
 * Reads the context `identityProvider`.
 * @returns undefined if users sign in only with the pool's passwords and passkeys
 * @throws InvalidSetting with all problems
 */
export function identityProviderOf(scope: IConstruct): IdentityProvider | undefined {
  const value: unknown = scope.node.tryGetContext(SETTING);
  if (value === undefined || value === '') return undefined;
  const type = typeOf(value);
  if (type === 'saml') return parseSetting(SETTING, saml, value);
  if (type === 'oidc') return parseSetting(SETTING, oidc, value);
  throw new InvalidSetting(
    typeof value === 'object'
      ? `The context \`${SETTING}.type\` must be saml or oidc, got ${shown(type)}.`
      : `The context \`${SETTING}\` must be a mapping with the keys type, name, and metadataUrl (saml) or issuer, client, clientSecret (oidc), got ${shown(value)}.`,
  );
}
