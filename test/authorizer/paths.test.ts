/**
 * Sends paths that servers read differently to API Gateway and to the ingress, and compares what the authorizer, the
 * functions and the ingress understand.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createKey } from '../../core/keys/client-keys.ts';
import { jobRoutes } from '../../core/operations/routes.ts';
import { minDirectBytes } from '../../core/operations/table.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { type DeployedGateway, type Meaning, startDeployedGateway } from './deployed-gateway.ts';

const emulated = useEmulatedDeployment();
let gateway: DeployedGateway;
let key: string;

beforeAll(async () => {
  const grant = { name: 'all', owner: 'ada', endpoints: ['*'], operations: ['*'], scopes: [] };
  key = (await createKey(emulated.ports, grant, randomBytes(64))).secret;
  gateway = await startDeployedGateway(emulated.ports);
}, 120_000);
afterAll(() => gateway.stop());

const RUNS = 250;
const words = Object.values(jobRoutes).flatMap(({ path }) => path.split('/').filter((part) => /^[a-z]/.test(part)));

const segment = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('echo', 'openai', 'v2', 'gateway', 'job-1', 'v1', 'models') },
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['', '.', '..', '...', '%2e', '%2E%2e', '%252e%252e', '..;', '..;x=1', ';', 'echo;x=1', ';v2'],
      ...['%2f', '%2F..%2f', '%252f', '%5c', '..%5c', '%00', '%20', '+', '%2b', '%3f', '%23', '%25', '%', '%zz'],
      ...['%ff', '%c0%ae', '%ED%A0%80', 'e%63ho', '%65cho', '%256fpenai', 'o%70enai', 'st%61tus', '%76%32', 'v%32'],
      ...['ECHO', 'OpenAI', 'RUNSYNC', 'V2', '{endpoint}', '{proxy+}', '*', '@', ':', '$default', 'a,b', '~', '%C3%A9'],
    ),
  },
);

/** Paths of routes, whose parameters are any segments. */
const routed = fc
  .tuple(fc.constantFrom(...Object.values(jobRoutes)), fc.array(segment, { minLength: 4, maxLength: 4 }))
  .map(([{ path }, values]) => {
    let at = 0;
    const next = () => values[at++] ?? '';
    return path.replace(/\{path\+\}/, () => `${next()}/${next()}`).replace(/\{\w+\}/g, next);
  });
const unrouted = fc.array(segment, { minLength: 1, maxLength: 6 }).map((parts) => `/${parts.join('/')}`);

const beginning = fc.oneof(
  { weight: 8, arbitrary: fc.constant('/v2') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...['/v2/v2', '/v2/v2/v2', '/v2/gateway', '/v2/v2/gateway', '/gateway', '/gateway/v2', '//v2', '/v2/'],
      ...['/V2', '/%762', '/v%32', '/v2;x', '/./v2', '/v1/../v2', '/v2/.', '/v2/..', '', '/v1', 'http://test/v2'],
      ...['http://test/v2/v2', '/v2/openai/openai/..', '/v2/%2e%2e'],
    ),
  },
);
const ending = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('/', '//', '/.', '/..', ';', '%2f', '?', '?a=/v2/echo/run', '?/../run', '%3f'),
  },
);

const paths = fc
  .tuple(beginning, fc.oneof({ weight: 3, arbitrary: routed }, { weight: 1, arbitrary: unrouted }), ending)
  .map((parts) => parts.join(''));

/** Paths whose meaning has differed, and some that must be served. */
const known: [method: string, path: string][] = [
  ['GET', '/v2/v2/openai/status-sync/job-1'],
  ['GET', '/v2/v2/openai/stream/job-1'],
  ['POST', '/v2/v2/openai/runsync'],
  ['POST', '/v2/v2/openai/run'],
  ['GET', '/v2/gateway/openai/status-sync/job-1'],
  ['POST', '/v2/echo/openai/v2/gateway/echo/runsync'],
  ['POST', '/v2/echo/run/'],
  ['POST', '/v2/echo/openai//v1//models'],
  ['POST', '/v2/e%63ho/openai/v1/a%252fb%2f..;'],
];

const isServed = ({ authorized, served }: { authorized: Meaning | undefined; served: Meaning | undefined }) =>
  authorized !== undefined || served !== undefined;

async function compare(method: string, path: string): Promise<boolean> {
  const where = `${method} ${path}`;
  gateway.pass();
  const first = await gateway.ask(method, path, `Bearer ${key}`);
  // API Gateway answers a second request from its cache.
  const second = await gateway.ask(method, path, `Bearer ${key}`);
  expect([where, second.served]).toEqual([where, first.served]);
  const { authorized, served } = first;
  // The key permits everything, so each request that is authorized is also served, and as it was authorized.
  expect([where, served?.operation, served?.endpoint]).toEqual([where, authorized?.operation, authorized?.endpoint]);
  if (method === 'POST') {
    const direct = await gateway.askDirectly(method, path, `Bearer ${key}`);
    const isDirect = Object.keys(minDirectBytes).includes(served?.operation ?? '');
    expect([where, direct.served]).toEqual([where, isDirect ? served : undefined]);
  }
  return isServed(first);
}

describe('a path', () => {
  it('has one meaning for the authorizer, the functions and the ingress', async () => {
    for (const [method, path] of known) await compare(method, path);
    let served = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('GET', 'POST'), paths, async (method, path) => {
        if (await compare(method, path)) served += 1;
      }),
      { seed: seedOf(PROPERTY_SEED), numRuns: RUNS },
    );
    // Without served paths, the comparison would prove nothing.
    expect(served).toBeGreaterThan(RUNS / 10);
  }, 120_000);

  it('cannot reach another endpoint or operation with a key that does not permit them', async () => {
    const grant = { name: 'openai', owner: 'ada', endpoints: ['v2'], operations: ['openai'] as const, scopes: [] };
    const { secret } = await createKey(
      emulated.ports,
      { ...grant, operations: [...grant.operations] },
      randomBytes(64),
    );
    for (const [method, path] of known) {
      gateway.pass();
      const { served } = await gateway.ask(method, path, `Bearer ${secret}`);
      const direct = await gateway.askDirectly(method, path, `Bearer ${secret}`);
      for (const meaning of [served, direct.served].filter((each) => each !== undefined))
        expect([path, meaning.operation, meaning.endpoint]).toEqual([path, 'openai', 'v2']);
    }
  });
});
