/** Tests the user pool and its client, which define who can sign in to the console and how. */
import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { signInHost } from '../../../lib/users/sign-in.ts';
import { stackOf, synthesize } from '../synthesis.ts';

const stacks = synthesize();
const { template: storage } = stackOf(stacks, 'Storage');
const { template: platform } = stackOf(stacks, 'Platform');

/** Returns the only resource of the type. */
function only(template: typeof storage, type: string) {
  const found = Object.values(template.findResources(type));
  expect(found).toHaveLength(1);
  return found[0] ?? {};
}

const host = (deployment: string) =>
  signInHost(
    new Stack(new App({ context: { deployment } }), 'Any', { env: { account: '123456789012', region: 'eu-west-1' } }),
  );

describe('the user pool', () => {
  const { Properties, DeletionPolicy, UpdateReplacePolicy } = only(storage, 'AWS::Cognito::UserPool');

  it('is retained with its groups when its stack is deleted, and has deletion protection', () => {
    expect([DeletionPolicy, UpdateReplacePolicy, Properties.DeletionProtection]).toEqual([
      'Retain',
      'Retain',
      'ACTIVE',
    ]);
    const groups = Object.values(storage.findResources('AWS::Cognito::UserPoolGroup'));
    expect(groups.map((group) => [group.Properties.GroupName, group.DeletionPolicy])).toEqual([
      ['viewer', 'Retain'],
      ['operator', 'Retain'],
      ['admin', 'Retain'],
    ]);
  });

  it('lets only administrators create users', () => {
    expect(Properties.AdminCreateUserConfig).toEqual({ AllowAdminCreateUserOnly: true });
  });

  it('accepts passwords and passkeys, and TOTP but not SMS as a second factor', () => {
    expect(Properties.UserPoolTier).toBe('ESSENTIALS');
    expect(Properties.Policies.SignInPolicy).toEqual({ AllowedFirstAuthFactors: ['PASSWORD', 'WEB_AUTHN'] });
    expect(Properties.EnabledMfas).toEqual(['SOFTWARE_TOKEN_MFA']);
    expect(Properties.SmsConfiguration).toBeUndefined();
  });
});

describe('the client of the console', () => {
  const { Properties } = only(platform, 'AWS::Cognito::UserPoolClient');

  it('has no secret, uses authorization codes, and can read only its own claims', () => {
    expect(Properties).toMatchObject({
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid'],
      EnableTokenRevocation: true,
    });
  });

  it('gets access tokens for 15 minutes, and rotated refresh tokens for 8 hours', () => {
    expect(Properties).toMatchObject({
      AccessTokenValidity: 15,
      RefreshTokenValidity: 8,
      TokenValidityUnits: { AccessToken: 'minutes', RefreshToken: 'hours' },
      RefreshTokenRotation: { Feature: 'ENABLED' },
    });
    // Cognito refuses a client with rotation and this flow.
    expect(Properties.ExplicitAuthFlows).not.toContain('ALLOW_REFRESH_TOKEN_AUTH');
  });

  it('can redirect only to the console at the published address', () => {
    const distribution = Object.keys(platform.findResources('AWS::CloudFront::Distribution'))[0];
    const at = (path: string) => ({
      'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [distribution, 'DomainName'] }, path]],
    });
    expect(Properties.CallbackURLs).toEqual([at('/console/signed-in')]);
    expect(Properties.LogoutURLs).toEqual([at('/console/')]);
  });

  it('has sign-in pages of version 2, and the style that they require', () => {
    expect(only(platform, 'AWS::Cognito::UserPoolDomain').Properties.ManagedLoginVersion).toBe(2);
    expect(only(platform, 'AWS::Cognito::ManagedLoginBranding').Properties).toMatchObject({
      ClientId: { Ref: expect.stringContaining('SignInClient') },
      UseCognitoProvidedValues: true,
    });
  });

  it('is the client whose tokens the authorizer accepts', () => {
    const functions = Object.values(platform.findResources('AWS::Lambda::Function'));
    const accepting = functions
      .map((each) => each.Properties.Environment.Variables)
      .filter((each) => each.TOKEN_CLIENT);
    expect(accepting).toEqual([
      expect.objectContaining({
        THROTTLE_SCOPE: expect.anything(),
        TOKEN_CLIENT: { Ref: expect.stringContaining('SignInClient') },
      }),
    ]);
    expect(JSON.stringify(accepting[0]?.TOKEN_ISSUER)).toMatch(/https:\/\/cognito-idp\..*StorageUsersPoolId/);
  });
});

describe('the host of the sign-in pages', () => {
  it('has the deployment and the account in its name, so that it is unique', () => {
    expect(host('gpu-prod')).toBe('gpu-prod-123456789012.auth.eu-west-1.amazoncognito.com');
  });

  it.each(['my-aws', 'amazonas', 'cognito-gpu'])(
    'contains no word that Cognito refuses, even for the deployment %s',
    (deployment) => {
      const [prefix = ''] = host(deployment).split('.');
      expect(prefix).toMatch(/^d[0-9a-f]{12}-123456789012$/);
      expect(prefix).not.toMatch(/aws|amazon|cognito/);
    },
  );
});
