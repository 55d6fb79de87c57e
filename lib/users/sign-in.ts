import { createHash } from 'node:crypto';
import { SecretValue, Stack } from 'aws-cdk-lib';
import {
  CfnManagedLoginBranding,
  CfnUserPoolClient,
  CfnUserPoolDomain,
  CfnUserPoolIdentityProvider,
} from 'aws-cdk-lib/aws-cognito';
import { Construct, type IConstruct } from 'constructs';
import { deploymentOf } from '../settings/settings.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { Users } from './users.ts';

/** Words that Cognito reserves. */
const RESERVED = /aws|amazon|cognito/;

/** Returns the domain prefix of the sign-in pages. It must be unique among all accounts of the Region. */
function prefixOf(scope: IConstruct): string {
  const deployment = deploymentOf(scope);
  const name = RESERVED.test(deployment)
    ? `d${createHash('sha256').update(deployment).digest('hex').slice(0, 12)}`
    : deployment;
  return `${name}-${Stack.of(scope).account}`;
}

/**
 * Returns the host of the sign-in pages. It does not depend on a resource, because the headers of the console contain
 * it.
 */
export const signInHost = (scope: IConstruct): string =>
  `${prefixOf(scope)}.auth.${Stack.of(scope).region}.amazoncognito.com`;

/** Minutes for which an access token is valid. A revoked session or a changed group takes effect within this time. */
const TOKEN_MINUTES = 15;
/** Hours after which a user must sign in again. */
const SESSION_HOURS = 8;
/** Seconds for which a refresh token remains valid after its renewal, in case the response was lost. */
const RETRY_SECONDS = 10;

/**
 * Returns the details of the provider for Cognito. The deployment reads the client secret; templates do not contain
 * it.
 */
function detailsOf(provider: IdentityProvider): Readonly<Record<string, string>> {
  if (provider.type === 'saml') return { MetadataURL: provider.metadataUrl };
  return {
    oidc_issuer: provider.issuer,
    client_id: provider.client,
    client_secret: SecretValue.secretsManager(provider.clientSecret).unsafeUnwrap(),
    authorize_scopes: 'openid email',
    attributes_request_method: 'GET',
  };
}

/**
 * Adds the provider to the pool. At the first sign-in, Cognito creates a user named `<provider>_<id>`. An administrator
 * assigns the user a role, because the groups of the provider have no effect (docs/adr/0021).
 */
function addProvider(scope: Construct, userPoolId: string, provider: IdentityProvider): CfnUserPoolIdentityProvider {
  return new CfnUserPoolIdentityProvider(scope, 'Provider', {
    userPoolId,
    providerName: provider.name,
    providerType: provider.type.toUpperCase(),
    providerDetails: detailsOf(provider),
    // The pool requires the address. It remains unverified, so that it cannot be used to sign in as a user with a
    // password.
    attributeMapping: { email: provider.email },
  });
}

export interface SignInProps {
  readonly users: Users;
  /** Host of the console. */
  readonly host: string;
  /** @default - users sign in only with passwords and passkeys of the user pool */
  readonly identityProvider: IdentityProvider | undefined;
}

/** Lets users sign in to the console: a client without a secret, and Cognito's sign-in pages. */
export class SignIn extends Construct {
  /** The claim `iss` of tokens. Their keys are at `/.well-known/jwks.json` below this address. */
  readonly issuer: string;
  /** Id of the client, which is the claim `client_id` of access tokens. */
  readonly client: string;
  /** Base address of the sign-in pages: `/oauth2/authorize`, `/oauth2/token` and `/logout` are below it. */
  readonly address: string;

  constructor(scope: Construct, id: string, { users, host, identityProvider }: SignInProps) {
    super(scope, id);
    const { region, urlSuffix } = Stack.of(this);
    const userPoolId = users.poolIdIn(this);
    const provider = identityProvider && addProvider(this, userPoolId, identityProvider);
    const client = new CfnUserPoolClient(this, 'Client', {
      userPoolId,
      clientName: 'console',
      generateSecret: false,
      supportedIdentityProviders: ['COGNITO', ...(identityProvider ? [identityProvider.name] : [])],
      allowedOAuthFlowsUserPoolClient: true,
      allowedOAuthFlows: ['code'],
      // Without `aws.cognito.signin.user.admin`: a stolen token must not change passwords or factors.
      allowedOAuthScopes: ['openid'],
      callbackUrLs: [`https://${host}/console/signed-in`],
      logoutUrLs: [`https://${host}/console/`],
      // `ALLOW_USER_AUTH` offers passwords and passkeys. A client with rotating refresh tokens must not allow
      // `REFRESH_TOKEN_AUTH`.
      explicitAuthFlows: ['ALLOW_USER_AUTH'],
      accessTokenValidity: TOKEN_MINUTES,
      idTokenValidity: TOKEN_MINUTES,
      refreshTokenValidity: SESSION_HOURS,
      tokenValidityUnits: { accessToken: 'minutes', idToken: 'minutes', refreshToken: 'hours' },
      refreshTokenRotation: { feature: 'ENABLED', retryGracePeriodSeconds: RETRY_SECONDS },
      enableTokenRevocation: true,
      preventUserExistenceErrors: 'ENABLED',
    });
    if (provider) client.addResourceDependency(provider);
    new CfnUserPoolDomain(this, 'Domain', { userPoolId, domain: prefixOf(this), managedLoginVersion: 2 });
    // Without a style, the sign-in pages of version 2 show "Login pages unavailable".
    new CfnManagedLoginBranding(this, 'Branding', {
      userPoolId,
      clientId: client.ref,
      useCognitoProvidedValues: true,
    });
    this.issuer = `https://cognito-idp.${region}.${urlSuffix}/${userPoolId}`;
    this.client = client.ref;
    this.address = `https://${signInHost(this)}`;
  }
}
