/** The ports with access tokens beside them, where the deployment has users who sign in. */
import { optionalEnvironment } from './environment.ts';
import { createPorts } from './ports.ts';
import { createTokens } from './tokens.ts';

export function createAuthorizerPorts() {
  const issuer = optionalEnvironment('TOKEN_ISSUER');
  const client = optionalEnvironment('TOKEN_CLIENT');
  const tokens = issuer !== undefined && client !== undefined ? createTokens({ issuer, client }) : undefined;
  return Object.assign(createPorts(), { tokens });
}
