/** The world with access tokens beside it, where the deployment has users who sign in. */
import { optionalEnvironment } from './environment.ts';
import { createTokens } from './tokens.ts';
import { createWorld } from './world.ts';

export function createAuthorizerWorld() {
  const issuer = optionalEnvironment('TOKEN_ISSUER');
  const client = optionalEnvironment('TOKEN_CLIENT');
  const tokens = issuer !== undefined && client !== undefined ? createTokens({ issuer, client }) : undefined;
  return Object.assign(createWorld(), { tokens });
}
