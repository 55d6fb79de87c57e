/** Calls the service over HTTP, and checks every response against its OpenAPI description. */
import { createDescribed, type Interface } from './described.ts';
import { eventually } from './eventually.ts';
import type { Target } from './target.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Request {
  readonly body?: string | undefined;
  /** Headers that replace the header with the key. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Client {
  /**
   * Sends a request to a path below the endpoint, such as `health`.
   * @throws Error with the id of the request if the service answers `INTERNAL`
   */
  ask(method: string, path: string, request?: Request): Promise<Answer>;
  /** Sends a request to a path below the base address of an interface, such as `/nowhere/health`. */
  askAt(name: Interface, method: string, path: string, request?: Request): Promise<Answer>;
  /** Submits a job. */
  run(input: object, policy?: object): Promise<string>;
  /** Returns the record of the job when it has the status. */
  jobIn(id: string, status: string): Promise<Answer>;
  /** Returns the record of the job when it has ended with any status. */
  ended(id: string): Promise<Answer>;
  /** Ids of what the tests have made: jobs that no response has shown as ended, the oldest first, and templates. */
  readonly made: { readonly jobs: ReadonlySet<string>; readonly templates: ReadonlySet<string> };
}

/** Milliseconds to wait. On EC2 instances the first worker starts slowly. */
const WITHIN = 150_000;
const FINAL = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];

/** Media types of answers to monitoring systems. */
const TEXT = /^(?:application\/openmetrics-text|text\/plain)/;

const checks = { jobs: createDescribed('jobs'), management: createDescribed('management') } as const;

export function createClient(target: Target): Client {
  const jobs = new Set<string>();
  const templates = new Set<string>();

  function keepJob({ id, status }: Answer['json']): void {
    if (status === 'IN_QUEUE' || status === 'IN_PROGRESS') jobs.add(String(id));
    else if (FINAL.includes(String(status))) jobs.delete(String(id));
  }

  function keepTemplate(method: string, path: string, { id }: Answer['json']): void {
    if (method === 'POST' && path === '/templates') templates.add(String(id));
    else if (method === 'DELETE') templates.delete(String(id));
  }

  async function askAt(
    name: Interface,
    method: string,
    path: string,
    { body, headers }: Request = {},
  ): Promise<Answer> {
    const base = name === 'jobs' ? target.serverlessUrl : target.baseUrl;
    const Authorization = `Bearer ${target.key}`;
    const response = await fetch(base + path, { method, body: body ?? null, headers: headers ?? { Authorization } });
    const { status } = response;
    if (response.headers.get('x-content-type-options') !== 'nosniff')
      throw new Error(`${method} ${path} answered ${status} without \`X-Content-Type-Options: nosniff\`.`);
    const text = await response.text();
    const isText = TEXT.test(response.headers.get('content-type') ?? '');
    const json = (isText ? {} : JSON.parse(text)) as Answer['json'];
    if (json.code === 'INTERNAL')
      throw new Error(
        `${method} ${path} answered ${status} INTERNAL. The log of request ${json.requestId} has the cause.`,
      );
    const [problem] = isText ? [] : checks[name]({ method, path: path.replace(/\?.*/s, ''), status, json });
    if (problem) throw new Error(problem);
    if (name === 'jobs') keepJob(json);
    // Tests with other keys delete their templates themselves.
    else if (status === 200 && headers === undefined) keepTemplate(method, path, json);
    return { status, headers: response.headers, text, json };
  }
  const ask: Client['ask'] = (method, path, request) => askAt('jobs', method, `/${target.endpoint}/${path}`, request);

  async function jobThat(id: string, what: string, holds: (status: string) => boolean): Promise<Answer> {
    const look = async () => {
      const answer = await ask('GET', `status/${id}`);
      return holds(String(answer.json.status)) ? answer : undefined;
    };
    return eventually(`job ${id} ${what}`, look, { within: WITHIN });
  }

  return {
    ask,
    askAt,
    async run(input, policy) {
      const { status, text, json } = await ask('POST', 'run', { body: JSON.stringify({ input, policy }) });
      if (status !== 200) throw new Error(`/run answered ${status}: ${text}`);
      return String(json.id);
    },
    jobIn: (id, status) => jobThat(id, `is ${status}`, (its) => its === status),
    ended: (id) => jobThat(id, 'has ended', (its) => FINAL.includes(its)),
    made: { jobs, templates },
  };
}
