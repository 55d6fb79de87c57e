/** Checks that the tests can run at all, so that a wrong key or address is one sentence instead of many failing rows. */
import { isForUsers, operations, stages } from '../../core/operations/routes.ts';
import { type Target, variables } from './target.ts';

/** The rows cannot be checked. The message is one sentence that names the remedy. */
export class CannotVerify extends Error {
  override readonly name = 'CannotVerify';
}

/** Milliseconds for the first response. */
const PATIENCE = 30_000;

interface Answer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

const causeOf = (error: unknown) => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
};

async function get(url: string, key: string): Promise<Answer> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE) }).catch((error: unknown) => {
    throw new CannotVerify(`${url} cannot be reached: ${causeOf(error)}.`, { cause: error });
  });
  const json = await response.json().catch(() => ({}));
  return { status: response.status, json: json as Answer['json'] };
}

const SCOPES = 'templates:read,templates:write';

/** The options with which `keys create` makes a key for each variable. */
const grants = {
  key: `--name verify --scopes ${SCOPES},templates:secrets`,
  limitedKey: '--name limited --operations health',
  otherKey: `--name other --scopes ${SCOPES}`,
} as const;

const remedy = (name: keyof typeof variables) => `\`npx gpu-endpoints keys create ${grants[name]}\` creates one`;

async function checkKey(url: string, key: string, name: keyof typeof variables): Promise<void> {
  const { status } = await get(url, key);
  const place =
    name === 'key' ? `its key, that of ${variables.key} or of the profile` : `the key in ${variables[name]}`;
  if (status === 401) throw new CannotVerify(`The deployment refuses ${place}: ${remedy(name)}.`);
}

/** @throws CannotVerify if the key may not call an operation that the rows call */
async function checkPermissions({ baseUrl, key }: Target): Promise<void> {
  const { status, json } = await get(`${baseUrl}/session`, key);
  if (status !== 200 || !Array.isArray(json.operations))
    throw new CannotVerify(`${baseUrl} is not a management interface: GET /session answered ${status}.`);
  const may: readonly unknown[] = json.operations;
  const lacking = operations.filter((operation) => !isForUsers(operation) && !may.includes(operation));
  if (lacking.length > 0)
    throw new CannotVerify(
      `The key may not call ${lacking.join(', ')}, and the rows need all operations: ${remedy('key')}.`,
    );
}

async function checkEndpoint({ serverlessUrl, baseUrl, key, endpoint }: Target): Promise<void> {
  const { status, json } = await get(`${serverlessUrl}/${endpoint}/health`, key);
  if (json.code === 'ENDPOINT_NOT_FOUND') {
    const { json: listed } = await get(`${baseUrl}/endpoints`, key);
    const ids = (listed.endpoints as readonly { readonly id: string }[]).map(({ id }) => id);
    throw new CannotVerify(
      `The deployment has no endpoint \`${endpoint}\`; --endpoint must be one of ${ids.join(', ') || 'none'}.`,
    );
  }
  if (status !== 200)
    throw new CannotVerify(`${serverlessUrl} is not a job interface: GET /${endpoint}/health answered ${status}.`);
}

function checkForm({ serverlessUrl, baseUrl, key }: Target): void {
  for (const [name, url, version] of [
    ['job', serverlessUrl, stages.jobs],
    ['management', baseUrl, stages.management],
  ] as const)
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '') || !url.endsWith(`/${version}`))
      throw new CannotVerify(
        `The URL of the ${name} interface must begin with http:// or https:// and end in /${version}, got ${JSON.stringify(url)}.`,
      );
  if (key === '') throw new CannotVerify(`The variable ${variables.key} must be a key: ${remedy('key')}.`);
}

/** @throws CannotVerify if the address, a key or the endpoint is wrong */
export async function checkTarget(target: Target): Promise<void> {
  const { serverlessUrl, key, limitedKey, otherKey, endpoint } = target;
  checkForm(target);
  const health = `${serverlessUrl}/${endpoint}/health`;
  await checkKey(health, key, 'key');
  await checkEndpoint(target);
  await checkPermissions(target);
  if (limitedKey !== undefined) await checkKey(health, limitedKey, 'limitedKey');
  if (otherKey !== undefined) await checkKey(`${target.baseUrl}/templates?limit=1`, otherKey, 'otherKey');
}
