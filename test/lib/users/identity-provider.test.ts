/** Tests the setting for sign-in by a SAML or OIDC provider, and its resources in the stacks. */
import { describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { InvalidSetting } from '../../../lib/settings/settings.ts';
import { identityProviderOf } from '../../../lib/users/identity-provider.ts';
import { stackOf, synthesizeWith } from '../synthesis.ts';

const readFrom = (identityProvider: unknown) => identityProviderOf(new App({ context: { identityProvider } }));

const saml = { type: 'saml', name: 'Okta', metadataUrl: 'https://login.example.com/metadata?app=console' };
const oidc = {
  type: 'oidc',
  name: 'Entra',
  issuer: 'https://login.example.com/tenant/v2.0',
  client: '0a1b-2c3d',
  clientSecret: 'console/oidc',
};

describe('the setting identityProvider', () => {
  it.each([undefined, ''])('can be absent: %j', (value) => {
    expect(readFrom(value)).toBeUndefined();
  });

  it('can name another claim for the mail address', () => {
    expect(readFrom(saml)).toEqual({ ...saml, email: expect.stringMatching(/claims\/emailaddress$/) });
    expect(readFrom(oidc)).toEqual({ ...oidc, email: 'email' });
    expect(readFrom({ ...oidc, email: 'upn' })).toEqual({ ...oidc, email: 'upn' });
  });

  const must = (field: string) => `The context \`identityProvider${field}`;

  it.each<[unknown, string]>([
    [
      'okta',
      must(
        '` must be a mapping with the keys type, name, and metadataUrl (saml) or issuer, client, clientSecret (oidc), got "okta".',
      ),
    ],
    [{ ...saml, type: 'ldap' }, must('.type` must be saml or oidc, got "ldap".')],
    [{ name: 'Okta' }, must('.type` must be saml or oidc, got ')],
    [{ ...saml, name: 'my_idp' }, must('.name` must be 3 to 32 letters, digits and hyphens')],
    [{ ...saml, name: 'cognito' }, must('.name` must be 3 to 32 letters, digits and hyphens')],
    [{ ...saml, metadataUrl: 'http://login.example.com' }, must('.metadataUrl` must be the address of the metadata')],
    [
      { ...saml, issuer: 'https://a.example' },
      must('` has no field issuer; the fields are type, name, metadataUrl, email.'),
    ],
    [{ ...oidc, issuer: 'https://a.example?b=c' }, must('.issuer` must be an address that begins with https://')],
    [{ ...oidc, issuer: 'https://user:word@a.example' }, must('.issuer` must be an address')],
    [{ ...oidc, client: '' }, must('.client` must be the id that the provider has given')],
    [{ ...oidc, clientSecret: 'not a name' }, must('.clientSecret` must be the name of a secret of Secrets Manager')],
    [{ ...oidc, clientSecret: undefined }, must('.clientSecret` must be the name of a secret of Secrets Manager')],
    [{ ...oidc, email: 'e mail' }, must('.email` must be the name of the claim with the mail address')],
  ])('rejects %j with an error that lists the allowed values', (value, sentence) => {
    expect(() => readFrom(value)).toThrow(InvalidSetting);
    expect(() => readFrom(value)).toThrow(sentence);
  });
});

describe('the stacks with an identity provider', () => {
  const platformWith = (identityProvider: object) => stackOf(synthesizeWith({ identityProvider }), 'Platform').template;

  it.each([
    ['SAML', saml, { MetadataURL: saml.metadataUrl }, saml.name],
    [
      'OIDC',
      oidc,
      {
        oidc_issuer: oidc.issuer,
        client_id: oidc.client,
        client_secret: '{{resolve:secretsmanager:console/oidc:SecretString:::}}',
        authorize_scopes: 'openid email',
        attributes_request_method: 'GET',
      },
      oidc.name,
    ],
  ])('let users of %s sign in, in addition to users with passwords', (type, setting, details, name) => {
    const platform = platformWith(setting);
    const [[id, provider] = [], ...others] = Object.entries(
      platform.findResources('AWS::Cognito::UserPoolIdentityProvider'),
    );
    expect(others).toEqual([]);
    expect(provider?.Properties).toMatchObject({ ProviderName: name, ProviderType: type, ProviderDetails: details });
    const [client] = Object.values(platform.findResources('AWS::Cognito::UserPoolClient'));
    expect(client?.Properties.SupportedIdentityProviders).toEqual(['COGNITO', name]);
    // Cognito refuses a client that names a missing provider.
    expect(client?.DependsOn).toContain(id);
  });

  it('read only the mail address from the provider, and nothing that could grant a role', () => {
    const [provider] = Object.values(platformWith(oidc).findResources('AWS::Cognito::UserPoolIdentityProvider'));
    expect(provider?.Properties.AttributeMapping).toEqual({ email: 'email' });
  });
});
