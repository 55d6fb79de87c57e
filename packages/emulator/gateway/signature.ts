/**
 * The response of API Gateway to a request that matches no method. API Gateway parses its `Authorization` header as
 * an AWS signature.
 */
import { Refusal } from './gateway-response.ts';

const SCHEME = /^\S+\s+/;
const PARAMETERS = ['Credential', 'Signature', 'SignedHeaders'];

/** Finds the name before the first equal sign of each part, or the first part without an equal sign. */
function parametersOf(authorization: string): { names: string[] } | { faulty: string } {
  const parts = authorization
    .replace(SCHEME, '')
    .split(',')
    .map((part) => part.trim());
  const faulty = parts.find((part) => !part.includes('='));
  return faulty === undefined ? { names: parts.map((part) => part.split('=', 1).join('')) } : { faulty };
}

/**
 * Returns the refusal.
 * @param authorization the header of the request, if present
 */
export function refusalWithoutMethod(authorization: string | undefined): Refusal {
  if (!authorization) return new Refusal('MISSING_AUTHENTICATION_TOKEN');
  const found = parametersOf(authorization);
  if ('faulty' in found)
    return new Refusal('INCOMPLETE_SIGNATURE', {
      message: `'${found.faulty}' not a valid key=value pair (missing equal-sign) in Authorization header: '${authorization}'.`,
    });
  const missing = PARAMETERS.filter((name) => !found.names.includes(name));
  if (missing.length === 0) return new Refusal('UNRECOGNIZED_CLIENT');
  const sentences = missing.map((name) => `Authorization header requires '${name}' parameter.`);
  return new Refusal('INCOMPLETE_SIGNATURE', { message: `${sentences.join(' ')} Authorization=${authorization}` });
}
