/** Properties of Cognito's resources that work here, and the definitions collected from all stacks. */
import * as z from 'zod/mini';
import { ignored } from '../cloudformation/resource.ts';

const number = z.coerce.number();

export const userPool = z.strictObject({
  UserPoolName: ignored,
  UserPoolTags: ignored,
  UserPoolTier: ignored,
  DeletionProtection: ignored,
  // The local sign-in page creates no users, and signs users in without passwords or emails.
  AdminCreateUserConfig: z.strictObject({ AllowAdminCreateUserOnly: z.literal(true) }),
  AccountRecoverySetting: ignored,
  AliasAttributes: ignored,
  AutoVerifiedAttributes: ignored,
  EmailVerificationMessage: ignored,
  EmailVerificationSubject: ignored,
  EnabledMfas: ignored,
  MfaConfiguration: ignored,
  Policies: ignored,
  Schema: ignored,
  SmsVerificationMessage: ignored,
  UsernameConfiguration: ignored,
  VerificationMessageTemplate: ignored,
  WebAuthnUserVerification: ignored,
});

export const group = z.strictObject({
  UserPoolId: z.string(),
  GroupName: z.string(),
  Description: z._default(z.string(), ''),
});

export const client = z.strictObject({
  UserPoolId: z.string(),
  ClientName: ignored,
  GenerateSecret: z.literal(false),
  AllowedOAuthFlowsUserPoolClient: z.literal(true),
  AllowedOAuthFlows: z.tuple([z.literal('code')]),
  AllowedOAuthScopes: z.array(z.string()),
  CallbackURLs: z.array(z.string()),
  LogoutURLs: z.array(z.string()),
  SupportedIdentityProviders: z.tuple([z.literal('COGNITO')]),
  AccessTokenValidity: number,
  IdTokenValidity: number,
  RefreshTokenValidity: number,
  TokenValidityUnits: z.strictObject({
    AccessToken: z.literal('minutes'),
    IdToken: z.literal('minutes'),
    RefreshToken: z.literal('hours'),
  }),
  RefreshTokenRotation: z.strictObject({ Feature: z.literal('ENABLED'), RetryGracePeriodSeconds: number }),
  EnableTokenRevocation: z.literal(true),
  // The local user pool has no passwords to guess.
  ExplicitAuthFlows: ignored,
  PreventUserExistenceErrors: ignored,
});

export const domain = z.strictObject({
  UserPoolId: z.string(),
  Domain: z.string(),
  // The local sign-in pages belong to neither version of managed login.
  ManagedLoginVersion: z.literal(2),
});

type Properties<Schema extends z.ZodMiniType> = z.output<Schema>;

export interface ClientDefinition extends Omit<Properties<typeof client>, 'CallbackURLs' | 'LogoutURLs'> {
  readonly id: string;
  /** URLs on this machine that the client can redirect to. */
  readonly callbacks: readonly string[];
  readonly logouts: readonly string[];
}

export interface UserPoolDefinition {
  readonly id: string;
  readonly groups: Properties<typeof group>[];
  readonly clients: ClientDefinition[];
}

/** User pools by id. */
export type UserPools = Map<string, UserPoolDefinition>;
