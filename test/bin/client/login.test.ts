import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunOptions, runBinary } from '../../acceptance/command-line/binary.ts';
import { KEY, type StubService, stubService } from './stub-service.ts';

const session = {
  user: 'ci',
  groups: [],
  owner: 'ada',
  operations: ['run', 'status', 'session'],
  endpoints: ['echo'],
};
let service: StubService;

beforeAll(async () => {
  service = await stubService((path) => {
    if (path === '/v1/session') return session;
    if (path === '/v1/endpoints') return { endpoints: [] };
    const error = path.includes('/other/')
      ? 'The API key does not permit calls to the endpoint other.'
      : 'The API key does not permit the operation workers.';
    return [401, { error, code: 'UNAUTHORIZED', requestId: 'r-1' }];
  });
});
afterAll(() => service.close());

const run = (args: readonly string[], options: Omit<RunOptions, 'folder'> = {}) =>
  runBinary(args, { folder: service.folder, ...options });
const login = (input: string) => run(['login', '--env', 'prod', '--url', service.url], { input });

describe('the deployment of the variables', () => {
  it.each([
    [{ GPU_ENDPOINTS_URL: 'https://gpu.example.com' }, 'GPU_ENDPOINTS_URL is set, but GPU_ENDPOINTS_KEY is not'],
    [{ GPU_ENDPOINTS_KEY: KEY }, 'GPU_ENDPOINTS_KEY is set, but GPU_ENDPOINTS_URL is not'],
    [
      { GPU_ENDPOINTS_URL: '127.0.0.1:3411', GPU_ENDPOINTS_KEY: KEY },
      'GPU_ENDPOINTS_URL must be an address such as https://gpu.example.com, got "127.0.0.1:3411".',
    ],
    [
      { GPU_ENDPOINTS_URL: 'localhost:3411', GPU_ENDPOINTS_KEY: KEY },
      'GPU_ENDPOINTS_URL must be an address such as https://gpu.example.com, got "localhost:3411".',
    ],
    [
      { GPU_ENDPOINTS_URL: 'https://gpu.example.com', GPU_ENDPOINTS_KEY: 'gpue_short' },
      'GPU_ENDPOINTS_KEY must be an API key',
    ],
  ])('is refused for %j', async (env, sentence) => {
    const { code, stderr } = await run(['endpoints', 'ls'], { env });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('gpue_short');
    expect(code).toBe(1);
  });

  it('is first in the order that the help of --env states', async () => {
    const { stdout } = await run(['endpoints', 'ls', '--help']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'GPU_ENDPOINTS_ENV, then the deployment of GPU_ENDPOINTS_URL and GPU_ENDPOINTS_KEY, then the profile default, then local',
    );
  });

  it('is not read for a profile that the user names', async () => {
    await login(KEY);
    const { code } = await run(['endpoints', 'ls', '--env', 'prod'], { env: { GPU_ENDPOINTS_URL: 'nowhere' } });
    expect(code).toBe(0);
  });
});

describe('login', () => {
  it('names the operations of the key without that of every key', async () => {
    const { code, stdout } = await login(`${KEY}\n`);
    expect(stdout).toContain('which may call run, status of echo.');
    expect(code).toBe(0);
  });

  it.each([
    ['', 'The standard input is empty'],
    [`${KEY}\nThis secret is shown only once.\n`, 'The standard input must be an API key'],
    [`Bearer ${KEY}`, 'The standard input must be an API key'],
    [KEY.slice(0, -1), 'The standard input must be an API key'],
  ])('refuses input that is no key before it is sent, and does not show it', async (input, sentence) => {
    const before = service.requests.length;
    const { code, stderr } = await login(input);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain(KEY.slice(0, 12));
    expect(code).toBe(1);
    expect(service.requests.length).toBe(before);
  });

  it('refuses an address without a scheme', async () => {
    const { stderr } = await run(['login', '--url', '127.0.0.1:3411'], { input: KEY });
    expect(stderr).toContain('--url must be an address such as https://gpu.example.com, got "127.0.0.1:3411".');
  });
});

describe('a command without permission', () => {
  it.each([
    ['echo', '--operations run,status,workers --endpoints echo'],
    ['other', '--operations run,status --endpoints echo,other'],
  ])('says what the key may do, and how to create one for %s', async (endpoint, options) => {
    const env = { GPU_ENDPOINTS_URL: service.url, GPU_ENDPOINTS_KEY: KEY };
    const { code, stderr } = await run(['workers', 'ls', endpoint], { env });
    expect(stderr).toContain('It may call run, status of echo.');
    expect(stderr).toContain(`npx gpu-endpoints keys create --name NAME ${options} (UNAUTHORIZED, request r-1)`);
    expect(code).toBe(1);
  });
});
