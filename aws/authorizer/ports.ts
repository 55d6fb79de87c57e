/** Ports of the authorizer. They verify access tokens if the deployment has users who sign in. */
import { optionalEnvironment } from '../environment.ts';
import { adaptersOf, portsFrom } from '../ports.ts';
import { createTokens } from '../users/tokens.ts';

function tokensOf() {
  const issuer = optionalEnvironment('TOKEN_ISSUER');
  const client = optionalEnvironment('TOKEN_CLIENT');
  return issuer !== undefined && client !== undefined ? createTokens({ issuer, client }) : undefined;
}

export const createAuthorizerPorts = () => portsFrom({ ...adaptersOf(), tokens: tokensOf });
