/** Calls the deployed interfaces as a client does. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StackArtifact } from './assembly.ts';

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Call {
  readonly method?: 'GET' | 'POST';
  readonly body?: unknown;
  /**
   * API key of the request.
   * @default - the client key
   */
  readonly authorization?: string;
}

/** Maximum number of milliseconds until the service shows a change. Functions cache what they read. */
const LIMIT = 90_000;
const TURN = 500;

/** Returns the emulator's address of `https://<id>.execute-api.<region>.amazonaws.com/<stage>`. */
function served(url: string, emulator: string): string {
  const { hostname, pathname } = new URL(url);
  return `${emulator}/_aws/execute-api/${hostname.split('.')[0]}${pathname}`;
}

/**
 * Returns the hidden keys of the usage plan, by the names of their limits. AWS gets them from the authorizer, but
 * the emulator reads them from a header.
 */
export function hiddenKeys(stacks: readonly Pick<StackArtifact, 'template'>[]): ReadonlyMap<string, string> {
  const resources = stacks.flatMap(({ template }) => Object.values(template.Resources));
  return new Map(
    resources.flatMap(({ Type, Properties: { Description, Value } = {} }): [string, string][] => {
      const bucket = /^Rate limits of (.+); not a credential\.$/.exec(String(Description))?.[1];
      return Type === 'AWS::ApiGateway::ApiKey' && bucket !== undefined ? [[bucket, String(Value)]] : [];
    }),
  );
}

/** Names in `hiddenKeys`: the limits for endpoints that do not exist, and for the management interface. */
const UNKNOWN = '*unknown';
const MANAGEMENT = '*management';

/**
 * The emulator leaves variables of the authorizer in its responses. AWS replaces a variable with a JSON value, so the
 * text of such a response is no JSON here.
 */
const AUTHORIZER_VARIABLE = '$context.authorizer.';

export interface ServiceProps {
  readonly emulator: string;
  readonly jobApiUrl: string;
  readonly managementApiUrl: string;
  readonly secret: string;
  readonly hiddenKeys: ReadonlyMap<string, string>;
}

export class Service {
  readonly #props: ServiceProps;

  constructor(props: ServiceProps) {
    this.#props = props;
  }

  async #call(url: string, bucket: string, { method = 'GET', body, authorization }: Call): Promise<Answer> {
    const { emulator, secret, hiddenKeys: keys } = this.#props;
    const key = keys.get(bucket);
    if (key === undefined) throw new Error(`No template has a hidden key for ${bucket}.`);
    const response = await fetch(served(url, emulator), {
      method,
      headers: { authorization: authorization ?? `Bearer ${secret}`, 'x-api-key': key },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text.includes(AUTHORIZER_VARIABLE) ? { text } : JSON.parse(text) };
  }

  /**
   * Calls a job operation.
   * @param isThere whether the endpoint is deployed.
   * @default true
   */
  job(endpoint: string, path: string, call: Call = {}, isDeployed = true): Promise<Answer> {
    return this.#call(`${this.#props.jobApiUrl}/${endpoint}/${path}`, isDeployed ? endpoint : UNKNOWN, call);
  }

  /** Returns the items of `GET /endpoints`, by endpoint. */
  async endpoints(): Promise<ReadonlyMap<string, Answer['body']>> {
    const { status, body } = await this.#call(`${this.#props.managementApiUrl}/endpoints`, MANAGEMENT, {});
    if (status !== 200) throw new Error(`GET /endpoints answered ${status}: ${JSON.stringify(body)}`);
    const endpoints = body.endpoints as readonly (Answer['body'] & { readonly id: string })[];
    return new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  }
}

/**
 * Repeats a request until the response is as expected.
 * @param expected the expectation, named in the error
 * @throws Error with the last response
 */
export async function eventually<Result>(
  expected: string,
  ask: () => Promise<Result>,
  isExpected: (result: Result) => boolean,
): Promise<Result> {
  for (const until = Date.now() + LIMIT; ; await sleep(TURN)) {
    const result = await ask();
    if (isExpected(result)) return result;
    if (Date.now() > until)
      throw new Error(`${expected} was expected, but the last answer was ${JSON.stringify(result)}.`);
  }
}
