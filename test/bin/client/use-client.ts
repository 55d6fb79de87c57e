/** Runs commands in the process of the test, against a deployment that answers as the test says. */
import { afterAll, beforeAll, beforeEach, jest } from '@jest/globals';
import { createProgram } from '../../../bin/program.ts';
import { KEY, type StubService, stubService } from './stub-service.ts';

/** What happened in the present test. */
export interface Client {
  /** Addresses of the requests. */
  readonly requests: readonly URL[];
  /** Lines of the standard output, and of the standard error. */
  readonly printed: readonly string[];
  readonly noted: readonly string[];
  run(...args: string[]): Promise<unknown>;
}

/** Starts the deployment for the tests of the file. */
export function useClient(answer: (address: URL) => object): Client {
  const requests: URL[] = [];
  const [printed, noted]: [string[], string[]] = [[], []];
  let service: StubService;

  beforeAll(async () => {
    service = await stubService((path) => {
      const address = new URL(path, 'http://service');
      requests.push(address);
      return answer(address);
    });
    process.env.GPU_ENDPOINTS_URL = `${service.url}/v2`;
    process.env.GPU_ENDPOINTS_KEY = KEY;
  });
  beforeEach(() => {
    for (const all of [requests, printed, noted]) all.length = 0;
    jest.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)));
    jest.spyOn(console, 'error').mockImplementation((line) => void noted.push(String(line)));
  });
  afterAll(() => {
    delete process.env.GPU_ENDPOINTS_URL;
    delete process.env.GPU_ENDPOINTS_KEY;
    jest.restoreAllMocks();
    service.close();
  });

  return { requests, printed, noted, run: (...args) => createProgram().parseAsync(args, { from: 'user' }) };
}
