/** Builds a first command for a new key: a call that the key permits. */
import { type ApiKey, EVERY } from './key.ts';

interface Attempt {
  /** Undefined if a scope permits the call. */
  readonly operation?: string;
  readonly scope?: ApiKey['scopes'][number];
  /** Path below the origin; `{endpoint}` is an endpoint of the key. */
  readonly path: string;
  readonly body?: string;
}

/** Calls in order of preference. The first call that the key permits is shown. */
const attempts: readonly Attempt[] = [
  { operation: 'run', path: '/v2/{endpoint}/run', body: '{"input": {"text": "hello"}}' },
  { operation: 'runsync', path: '/v2/{endpoint}/runsync', body: '{"input": {"text": "hello"}}' },
  { operation: 'health', path: '/v2/{endpoint}/health' },
  { operation: 'requests', path: '/v2/{endpoint}/requests' },
  { operation: 'endpoints', path: '/v1/endpoints' },
  { scope: 'templates:read', path: '/v1/templates' },
];

type Permitted = Pick<ApiKey, 'endpoints' | 'operations' | 'scopes'>;

function isPermitted({ operations, scopes }: Permitted, { operation, scope }: Attempt): boolean {
  if (scope !== undefined) return scopes.includes(scope);
  return operations.includes(EVERY) || operations.includes(operation ?? '');
}

/**
 * Builds a command that reads the secret of the key from the shell variable `API_KEY`.
 * @param endpoints deployed endpoints, for a key that may call every endpoint
 * @returns the command; undefined if the key permits no known call, or if the permitted calls need an endpoint and
 * none is deployed
 */
export function curlFor(key: Permitted, endpoints: readonly string[], origin: string): string | undefined {
  const own = key.endpoints.find((endpoint) => endpoint !== EVERY);
  const endpoint = own ?? endpoints[0];
  const attempt = attempts.find(
    (known) => isPermitted(key, known) && (endpoint !== undefined || !known.path.includes('{endpoint}')),
  );
  if (!attempt) return undefined;
  const address = `${origin}${attempt.path.replace('{endpoint}', endpoint ?? '')}`;
  const body = attempt.body === undefined ? '' : ` -d '${attempt.body}'`;
  return `curl ${address} -H "Authorization: Bearer $API_KEY"${body}`;
}
