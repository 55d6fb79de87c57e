import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { RequestBody } from '../../core/http/request.ts';
import type { ResponseState } from '../../core/http/respond.ts';
import { InvalidRequest, JobNotFound, QueueFull } from '../../core/requests/errors.ts';
import { type HttpRequest, http } from '../../lambda/http.ts';

/** The headers of each JSON response. */
const JSON_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
};

const event = {
  httpMethod: 'POST',
  pathParameters: { endpoint: 'echo', job: 'j1' },
  body: '{"input":{}}',
  isBase64Encoded: false,
  requestContext: { requestId: 'r-1', authorizer: { owner: 'ada', endpoints: 'echo,other', scopes: 'a,b' } },
} as unknown as APIGatewayProxyEvent;

async function answer(handle: Parameters<typeof http>[0], changed = {}) {
  const handler = http(handle) as unknown as (e: object, c: Context) => Promise<APIGatewayProxyResult>;
  return handler({ ...event, ...changed }, { functionName: 'test' } as Context);
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('an HTTP handler', () => {
  it('gets the path, the body, and the caller from the authorizer', async () => {
    const seen: HttpRequest[] = [];
    await answer(async (request) => seen.push(request).toString());
    expect(seen).toEqual([
      {
        endpoint: 'echo',
        job: 'j1',
        method: 'POST',
        path: '',
        queryText: '',
        contentType: undefined,
        template: '',
        key: '',
        query: {},
        body: expect.any(RequestBody),
        owner: 'ada',
        endpoints: ['echo', 'other'],
        scopes: ['a', 'b'],
        caller: 'key',
        callerId: '',
        callerName: '',
        session: '{}',
      },
    ]);
    expect(String(seen[0]?.body.bytes)).toBe('{"input":{}}');
  });

  it('gets the rest of a greedy path, the query string, and the media type', async () => {
    const { body } = await answer(async ({ path, queryText, contentType }) => [path, queryText, contentType], {
      pathParameters: { endpoint: 'echo', path: 'v1/models/a b' },
      multiValueQueryStringParameters: { a: ['1', 'ä&'] },
      headers: { 'CONTENT-TYPE': 'text/plain' },
    });
    expect(JSON.parse(body)).toEqual(['v1/models/a b', 'a=1&a=%C3%A4%26', 'text/plain']);
  });

  it('gets the kind of caller, and the session of a user of the console', async () => {
    const requestContext = {
      requestId: 'r-1',
      authorizer: { owner: 'ada', caller: 'user', keyId: 'sub-1', callerName: 'J%C3%B6rg', session: '{"user":"ada"}' },
    };
    const { body } = await answer(
      async ({ caller, callerId, callerName, session }) => [caller, callerId, callerName, session],
      { requestContext },
    );
    expect(JSON.parse(body)).toEqual(['user', 'sub-1', 'Jörg', '{"user":"ada"}']);
  });

  it('gets no scopes if the authorizer passes none', async () => {
    const requestContext = { requestId: 'r-1', authorizer: { owner: 'ada', endpoints: '*' } };
    const { body } = await answer(async ({ scopes }) => scopes, { requestContext });
    expect(JSON.parse(body)).toEqual([]);
  });

  it.each([
    [undefined, {}],
    [{ ttl: ['1000'] }, { ttl: '1000' }],
    [
      { ttl: [''], wait: ['x'] },
      { ttl: '', wait: 'x' },
    ],
    [{ ttl: ['1000', '2000'] }, { ttl: ['1000', '2000'] }],
    [{ 'ttl[]': ['1000'] }, { ttl: ['1000'] }],
    [{ ttl: ['1000'], 'ttl[0]': ['2000'] }, { ttl: ['1000', '2000'] }],
  ])('gets the query %j as %j', async (multiValueQueryStringParameters, query) => {
    const { body } = await answer(async (request) => request.query, { multiValueQueryStringParameters });
    expect(JSON.parse(body)).toEqual(query);
  });

  it.each(['Idempotency-Key', 'idempotency-key', 'IDEMPOTENCY-KEY'])('gets the header %s', async (name) => {
    const { body } = await answer(async ({ idempotencyKey = '' }) => idempotencyKey, { headers: { [name]: 'k-1' } });
    expect(body).toBe('k-1');
  });

  it('gets the trace of the client', async () => {
    const { body } = await answer(async ({ traceparent = '' }) => traceparent, { headers: { Traceparent: 't' } });
    expect(body).toBe('t');
  });

  it('decodes a body that the gateway encoded', async () => {
    const body = Buffer.from('é').toString('base64');
    const { body: echoed } = await answer(async (request) => request.body.bytes.toString(), {
      body,
      isBase64Encoded: true,
    });
    expect(echoed).toBe('é');
  });

  it('answers 200 with an unchanged string, or with an object as JSON', async () => {
    expect(await answer(async () => '{"n":-0}')).toMatchObject({ statusCode: 200, body: '{"n":-0}' });
    expect(await answer(async () => ({ id: 'j1' }))).toMatchObject({ statusCode: 200, body: '{"id":"j1"}' });
  });

  it('returns the id of the accepted job in a header', async () => {
    const handle = async (_: HttpRequest, state: ResponseState) => Object.assign(state, { jobId: 'j1' });
    expect((await answer(handle)).headers).toEqual({ ...JSON_HEADERS, 'X-Job-Id': 'j1' });
    expect((await answer(async () => ({ id: 'j1' }))).headers).not.toHaveProperty('X-Job-Id');
  });

  it.each([
    ['INVALID_REQUEST', 400, new InvalidRequest('`input` is missing.')],
    ['JOB_NOT_FOUND', 404, new JobNotFound('echo', 'j1')],
  ])('answers %s with status %d and the common error body', async (code, statusCode, error) => {
    const response = await answer(async () => Promise.reject(error));
    expect(response.statusCode).toBe(statusCode);
    expect(JSON.parse(response.body)).toEqual({ error: error.message, code, requestId: 'r-1' });
  });

  it('sends Retry-After only if the error sets it', async () => {
    const full = await answer(async () => Promise.reject(new QueueFull('echo', { waiting: 51, max: 50 })));
    expect(full).toMatchObject({
      statusCode: 429,
      headers: { 'Retry-After': '5', ...JSON_HEADERS },
    });
    const missing = await answer(async () => Promise.reject(new JobNotFound('echo', 'j1')));
    expect(missing.headers).toEqual(JSON_HEADERS);
  });

  it('allows web pages of the configured origin to read all responses', async () => {
    process.env.CORS_ORIGIN = 'https://a.test';
    try {
      const forPages = {
        'Access-Control-Allow-Origin': 'https://a.test',
        'Access-Control-Expose-Headers': 'Retry-After, X-Job-Id',
      };
      const found = await answer(async () => '{}');
      expect(found.headers).toEqual({ ...JSON_HEADERS, ...forPages });
      const refused = await answer(async () => Promise.reject(new QueueFull('echo', { waiting: 51, max: 50 })));
      expect(refused.headers).toMatchObject({ 'Retry-After': '5', ...forPages });
    } finally {
      delete process.env.CORS_ORIGIN;
    }
  });

  it('answers 500 for any other error, logs it, and hides it from the caller', async () => {
    const logged = jest.spyOn(console, 'error').mockReturnValue();
    const response = await answer(async () => Promise.reject(new Error('arn:aws:dynamodb:canary')));
    expect(response.statusCode).toBe(500);
    expect(JSON.parse(response.body)).toMatchObject({ code: 'INTERNAL', requestId: 'r-1' });
    expect(response.body).not.toContain('canary');
    expect(JSON.stringify(logged.mock.calls)).toContain('canary');
  });

  it('answers 429 while AWS throttles the service, logs the cause, and names a job that might be stored', async () => {
    const logged = jest.spyOn(console, 'error').mockReturnValue();
    const cause = Object.assign(new Error('The level of throughput was exceeded.'), {
      name: 'ProvisionedThroughputExceededException',
    });
    const read = await answer(async () => Promise.reject(new Error('unread', { cause })));
    expect(read).toMatchObject({ statusCode: 429, headers: { 'Retry-After': '2' } });
    expect(JSON.parse(read.body)).toMatchObject({ code: 'TOO_MANY_REQUESTS', requestId: 'r-1' });
    expect(JSON.parse(read.body).error).toBe(
      'AWS refuses calls of the service because of their rate. The service failed to handle the request. It is safe to try again.',
    );
    expect(JSON.stringify(logged.mock.calls)).toContain('ProvisionedThroughputExceededException');
    const submitted = await answer(async (_, state) => {
      state.jobId = 'j1';
      throw cause;
    });
    expect(submitted).toMatchObject({ statusCode: 429, headers: { 'X-Job-Id': 'j1', 'Retry-After': '2' } });
    expect(JSON.parse(submitted.body).error).toContain('Read its status');
  });

  it('returns the id of a job that a failed submission might have stored, and does not call a retry safe', async () => {
    jest.spyOn(console, 'error').mockReturnValue();
    const failing = async (_: HttpRequest, state: ResponseState) => {
      state.jobId = 'j1';
      throw new Error('lost');
    };
    const submitted = await answer(failing);
    expect(submitted).toMatchObject({ statusCode: 500, headers: { 'X-Job-Id': 'j1' } });
    expect(JSON.parse(submitted.body).error).toContain('Read its status');
    expect(submitted.body).not.toContain('safe');
    const read = await answer(async () => Promise.reject(new Error('lost')));
    expect(read.headers).not.toHaveProperty('X-Job-Id');
    expect(JSON.parse(read.body).error).toContain('safe to try again');
  });
});
