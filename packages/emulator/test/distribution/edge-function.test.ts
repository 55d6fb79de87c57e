/** Tests functions of a distribution that run on requests of viewers. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { code } from '../gateway/small-api.ts';
import { createSharedFunctions, newFolder, type SmallService, startSmallService } from '../small-service.ts';
import { ask, behaviour, distributed, OPEN } from './small-distribution.ts';

const functions = createSharedFunctions();
let service: SmallService | undefined;
let stateDir = '';

afterAll(() => functions.stop());
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

/** Serves the small API behind a function. */
async function serve(text: string): Promise<void> {
  stateDir = newFolder();
  const Resources = distributed({ DefaultCacheBehavior: behaviour({}, 'Edge') }, { Edge: text });
  service = await startSmallService({ Small: { Resources } }, code, { functions, stateDir });
}

const returning = (expression: string) =>
  serve(`function handler(event) { const request = event.request; return ${expression}; }`);
const doing = (statements: string) =>
  serve(`import cf from 'cloudfront';
function handler(event) { const request = event.request; ${statements}; return request; }`);

const asking = (path: string, options?: Parameters<typeof ask>[2]) => ask(service?.url, path, options);

interface Event {
  readonly path: string;
  readonly multiValueHeaders: Readonly<Record<string, readonly string[]>>;
  readonly multiValueQueryStringParameters: Readonly<Record<string, readonly string[]>> | null;
}

/** Returns the event that the function behind the API got. */
async function seen(path: string, options?: Parameters<typeof ask>[2]): Promise<Event> {
  const { status, text } = await asking(path, options);
  expect([status, text]).toEqual([200, expect.any(String)]);
  return JSON.parse(text) as Event;
}

describe('the event of a viewer request', () => {
  it('has the structure that the documentation of CloudFront describes', async () => {
    await returning('{ statusCode: 200, body: JSON.stringify(event) }');
    const { text } = await asking('/a%20b?x=1&x=%202&empty&y=', {
      method: 'POST',
      headers: {
        Accept: ['text/html', 'text/plain'],
        Cookie: 'a=1; b=2; a=3',
        'X-Mixed-Case': 'Value',
        'X-Real-IP': 'hidden',
        'Content-Length': '2',
        Host: 'here',
      },
      body: 'ab',
    });
    expect(JSON.parse(text)).toEqual({
      version: '1.0',
      context: {
        distributionDomainName: expect.stringMatching(/^d\w+\.cloudfront\.net$/),
        distributionId: expect.stringMatching(/^E\w+$/),
        eventType: 'viewer-request',
        requestId: expect.any(String),
      },
      viewer: { ip: '127.0.0.1' },
      request: {
        method: 'POST',
        uri: '/a%20b',
        querystring: {
          x: { value: '1', multiValue: [{ value: '1' }, { value: '%202' }] },
          empty: { value: '' },
          y: { value: '' },
        },
        headers: {
          accept: { value: 'text/html', multiValue: [{ value: 'text/html' }, { value: 'text/plain' }] },
          'x-mixed-case': { value: 'Value' },
          'content-length': { value: '2' },
          host: { value: 'here' },
        },
        cookies: { a: { value: '1', multiValue: [{ value: '1' }, { value: '3' }] }, b: { value: '2' } },
      },
    });
  });
});

describe('a request that a function returns', () => {
  it('is forwarded to the origin as it was sent if the function returns it unchanged', async () => {
    await returning('request');
    const { multiValueHeaders, multiValueQueryStringParameters } = await seen(`${OPEN}?x=1&x=%202&e`, {
      headers: { 'x-mIxEd': ['a', 'b'], Cookie: 'a=1;  b' },
    });
    expect(multiValueHeaders['x-mIxEd']).toEqual(['a', 'b']);
    expect(multiValueHeaders.Cookie).toEqual(['a=1;  b']);
    expect(multiValueQueryStringParameters).toEqual({ x: ['1', ' 2'], e: [''] });
  });

  it('is forwarded to the origin with the header changes of the function', async () => {
    await doing(`
      request.headers['x-viewer-address'] = { value: event.viewer.ip };
      request.headers['x-many'].multiValue[1].value = 'two';
      request.headers['x-first'].value = 'one';
      delete request.headers['x-gone'];`);
    const { multiValueHeaders } = await seen(OPEN, {
      headers: {
        'x-viewer-address': 'forged',
        'x-many': ['1', '2'],
        'x-first': ['1', '2'],
        'x-gone': '1',
        'x-kept': '1',
      },
    });
    expect(multiValueHeaders).toMatchObject({
      'X-Viewer-Address': ['127.0.0.1'],
      'X-Many': ['1', 'two'],
      'X-First': ['one', '2'],
      'x-kept': ['1'],
    });
    expect(Object.keys(multiValueHeaders)).not.toContain('x-gone');
    expect(Object.keys(multiValueHeaders)).not.toContain('x-viewer-address');
  });

  it('is forwarded to the origin with the path, the query string and the cookies of the function', async () => {
    await doing(`
      request.uri = '/v2/other/open';
      request.querystring.y = { value: 'b%20c' };
      delete request.querystring.x;
      request.cookies.a.value = '2'`);
    const { path, multiValueQueryStringParameters, multiValueHeaders } = await seen(`${OPEN}?x=1&z=`, {
      headers: { Cookie: 'a=1; b=2' },
    });
    expect(path).toBe('/other/open');
    expect(multiValueQueryStringParameters).toEqual({ y: ['b c'], z: [''] });
    expect(multiValueHeaders.Cookie).toEqual(['a=2; b=2']);
  });

  it.each([
    ['a read-only header that was added', "request.headers.via = { value: 'a' }"],
    ['a read-only header that was changed', "request.headers.host.value = 'a'"],
    ['a read-only header that was removed', "delete request.headers['content-length']"],
    ['a header that is not allowed', "request.headers['x-real-ip'] = { value: 'a' }"],
    ['a header name in upper case', "request.headers['X-A'] = { value: 'a' }"],
    ['a header name with a space', "request.headers['x a'] = { value: 'a' }"],
    ['a header value with a line feed', "request.headers['x-a'] = { value: 'a\\nb' }"],
    ['a header without a value', "request.headers['x-a'] = 'a'"],
    ['another method', "request.method = 'PUT'"],
    ['a path without a slash', "request.uri = 'v2'"],
    ['a path with a space', "request.uri = '/v 2'"],
    ['a URL that is too long', "request.uri = '/' + 'x'.repeat(8192)"],
  ])('is refused with 502 for %s', async (_, change) => {
    await doing(change);
    const { status, headers, text } = await asking(OPEN, {
      method: 'POST',
      body: 'ab',
      headers: { 'Content-Length': '2' },
    });
    expect({ status, cache: headers['x-cache'] }).toEqual({
      status: 502,
      cache: 'FunctionValidationError from cloudfront',
    });
    expect(text).toContain('The request could not be satisfied');
  });
});

describe('a response that a function returns', () => {
  it('is sent to the viewer', async () => {
    await returning(`{
      statusCode: 404,
      headers: { 'content-type': { value: 'application/json' }, 'content-length': { value: '3' }, 'x-a': { value: '1', multiValue: [{ value: '1' }, { value: '2' }] } },
      cookies: { a: { value: '1', attributes: 'Secure; Path=/' } },
      body: '{"error":"Not found"}',
    }`);
    const { status, headers, text } = await asking('/nothing', { method: 'POST', body: 'x'.repeat(100_000) });
    expect({ status, text }).toEqual({ status: 404, text: '{"error":"Not found"}' });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '21',
      'x-a': '1, 2',
      'set-cookie': ['a=1; Secure; Path=/'],
      'x-cache': 'FunctionGeneratedResponse from cloudfront',
    });
  });

  it('can have a body in base64', async () => {
    await returning("{ statusCode: 200, body: { encoding: 'base64', data: 'aGVsbG8=' } }");
    expect((await asking('/')).text).toBe('the page');
    expect((await asking('/x')).text).toBe('hello');
  });

  it.each([
    ['no return value', 'undefined'],
    ['a string', "'hello'"],
    ['a status that is a string', "{ statusCode: '200' }"],
    ['a status that is not in HTTP', '{ statusCode: 600 }'],
    ['a header that is not allowed', "{ statusCode: 200, headers: { connection: { value: 'close' } } }"],
    ['a read-only header', "{ statusCode: 200, headers: { 'transfer-encoding': { value: 'chunked' } } }"],
  ])('is refused with 502 for %s', async (_, returned) => {
    await returning(returned);
    expect((await asking('/x')).status).toBe(502);
  });
});

describe('a function', () => {
  it.each([
    ['throws', "throw new Error('broken')"],
    ['never returns', 'return new Promise(() => {})'],
    ['selects an origin that the distribution does not have', "cf.selectRequestOriginById('other')"],
    ['selects an origin with other settings', "cf.selectRequestOriginById('jobs', {})"],
    ['changes the origin', "cf.updateRequestOrigin({ domainName: 'example.com' })"],
    ['creates an origin group', 'cf.createRequestOriginGroup({})'],
    ['evaluates a string', "eval('1')"],
    ['evaluates code through an object in its event', "event.constructor.constructor('return 1')()"],
    ['evaluates code through the module', "cf.selectRequestOriginById.constructor('return 1')()"],
    ['uses a timer', 'setTimeout(() => {}, 1)'],
    ['requires a module', "require('fs')"],
  ])('that %s causes a 503 response', async (_, statements) => {
    const logged: unknown[] = [];
    const { error } = console;
    console.error = (first: unknown) => logged.push(first);
    try {
      await doing(statements);
      const { status, headers } = await asking(OPEN);
      expect({ status, cache: headers['x-cache'] }).toEqual({
        status: 503,
        cache: 'FunctionExecutionError from cloudfront',
      });
    } finally {
      console.error = error;
    }
    expect(logged).toHaveLength(1);
  });

  it('has no globals of Node.js, but retains its own globals between requests', async () => {
    await serve(`let count = 0;
      function handler() {
        const names = ['process', 'Buffer', 'fetch', 'setTimeout', 'require', 'module', 'URL'];
        const there = names.filter((name) => typeof globalThis[name] !== 'undefined');
        return { statusCode: 200, body: [++count, typeof console.log, ...there].join(' ') };
      }`);
    expect((await asking('/x')).text).toBe('1 function');
    expect((await asking('/x')).text).toBe('2 function');
  });

  it('can be async', async () => {
    await serve(`import cf from "cloudfront"
      async function handler(event) {
        await null;
        cf.selectRequestOriginById('jobs');
        event.request.uri = await Promise.resolve('${OPEN}');
        return event.request;
      }`);
    expect((await seen('/elsewhere')).path).toBe('/echo/open');
  });

  it('logs to a file with its name', async () => {
    await doing("console.log('seen', { uri: request.uri })");
    await seen(OPEN);
    const log = join(stateDir, 'logs', 'Edge.log');
    expect(existsSync(log) && readFileSync(log, 'utf8')).toBe(`seen {"uri":"${OPEN}"}\n`);
  });
});
