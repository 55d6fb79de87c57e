/** The setting `identityProvider`: a SAML or OIDC provider for sign-in to the console, in addition to passwords. */
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';
import { shown } from '../../core/requests/validation.ts';
import { type FieldText, fieldTexts, NOT_ON_COMMAND_LINE, type Setting } from '../settings/field-text.ts';
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

const metadataMust = 'must be the address of the metadata of the provider, which begins with https://';

const guide = 'identityProvider';
const ofSaml = 'Only with `type: saml`.';
const ofOidc = 'Only with `type: oidc`.';

const claims = { saml: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress', oidc: 'email' } as const;

const typeText: FieldText = {
  description: 'Protocol of the provider.',
  allowed: Object.keys(claims)
    .map((type) => `\`${type}\``)
    .join(', '),
  guide,
};

const name = z.string(nameMust).check(z.regex(NAME, nameMust)).register(fieldTexts, {
  description: 'Name of the provider, with which the names of its users begin; a changed name creates new users.',
  guide,
});

const email = (type: keyof typeof claims) =>
  z._default(z.string(claimMust).check(z.regex(CLAIM, claimMust)), claims[type]).register(fieldTexts, {
    description: 'Name of the claim or attribute with the mail address.',
    without: Object.entries(claims)
      .map(([its, claim]) => `\`${claim}\` with \`type: ${its}\``)
      .join(', '),
    guide,
  });

const saml = z.strictObject({
  type: z.literal('saml').register(fieldTexts, typeText),
  name,
  metadataUrl: address(metadataMust, true).register(fieldTexts, {
    description: 'Address of the metadata of the provider.',
    condition: ofSaml,
    guide,
  }),
  email: email('saml'),
});

const oidc = z.strictObject({
  type: z.literal('oidc').register(fieldTexts, typeText),
  name,
  issuer: address(urlMust).register(fieldTexts, {
    description: 'Address of the provider.',
    condition: ofOidc,
    guide,
  }),
  client: z
    .string(clientMust)
    .check(z.regex(/^\S{1,255}$/, clientMust))
    .register(fieldTexts, {
      description: 'Id of the console at the provider.',
      condition: ofOidc,
      guide,
    }),
  clientSecret: z.string(secretMust).check(z.regex(SECRET, secretMust)).register(fieldTexts, {
    description: 'Secret of Secrets Manager whose whole value is the client secret.',
    condition: ofOidc,
    guide,
  }),
  email: email('oidc'),
});

export type IdentityProvider = z.output<typeof saml> | z.output<typeof oidc>;

const typeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;

/**
 * Reads the context `identityProvider`.
 * @returns undefined if users sign in only with passwords and passkeys of the user pool
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

export const identityProviderSetting: Setting = {
  read: identityProviderOf,
  text: {
    description: 'SAML or OIDC provider with which people sign in to the console.',
    type: 'mapping',
    without: 'people sign in only with passwords and passkeys of the user pool',
    allowed: 'a mapping with `type`, `name` and the fields of the type',
    condition: NOT_ON_COMMAND_LINE,
    guide,
  },
  fields: [saml, oidc],
};
