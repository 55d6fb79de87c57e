/** A deployment that answers the commands of a client as a test says, and a way to run the binary against it. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSecret } from '../../../core/keys/client-keys.ts';
import { type Printed, type RunOptions, runBinary } from '../../acceptance/command-line/binary.ts';

/** A key of the form that deployments accept. */
export const KEY = newSecret(new Uint8Array(64).map((_, index) => index));

/** Breaks the connection in place of an answer. */
export const BROKEN = Symbol('broken');

/** An answer with status 200, or `[status, body]`. */
type Answer = object | readonly [status: number, body: object] | typeof BROKEN;

const isRefusal = (answer: object): answer is readonly [status: number, body: object] =>
  Array.isArray(answer) && typeof answer[0] === 'number';

export interface StubService {
  readonly url: string;
  /** Requests so far, as `GET /v1/session`. */
  readonly requests: readonly string[];
  /** Folder in which commands run, without profiles at first. */
  readonly folder: string;
  close(): void;
}

/** Starts a deployment. */
export async function stubService(answer: (path: string, request: IncomingMessage) => Answer): Promise<StubService> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { method, url = '/' } = request;
    requests.push(`${method} ${url}`);
    const given = answer(url, request);
    if (typeof given === 'symbol') return response.destroy();
    const [status, body] = isRefusal(given) ? given : [200, given];
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-client-'));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    folder,
    close() {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Returns the answer to the call of a path with this number, from 0. */
type Respond = (path: string, count: number, query: URLSearchParams) => Answer;

/** Runs the binary against a deployment that answers so, which is also that of the profile `prod`. */
export async function runAgainst(
  respond: Respond,
  args: readonly string[],
  options: Partial<RunOptions> = {},
): Promise<Printed> {
  const counts = new Map<string, number>();
  const service = await stubService((path) => {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    const count = counts.get(pathname) ?? 0;
    counts.set(pathname, count + 1);
    return respond(pathname.replace(/^\/v\d/, ''), count, searchParams);
  });
  try {
    const { folder, url } = service;
    const profiles = join(folder, '.config/gpu-endpoints');
    mkdirSync(profiles, { recursive: true });
    writeFileSync(join(profiles, 'profiles.json'), JSON.stringify({ prod: { url, key: KEY } }));
    const env = { GPU_ENDPOINTS_URL: `${url}/v2`, GPU_ENDPOINTS_KEY: KEY };
    return await runBinary(args, { folder, env, ...options });
  } finally {
    service.close();
  }
}
