/** A service that answers the binary as a test says, for what the service of this machine does only by chance. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSecret } from '../../../core/keys/client-keys.ts';
import { type Printed, type RunOptions, runBinary } from '../../acceptance/command-line/binary.ts';

/** Breaks the connection in place of an answer. */
export const BROKEN = Symbol('broken');

/** An answer with status 200, or `[status, body]`. */
type Answer = object | readonly [status: number, body: object] | typeof BROKEN;

/** Returns the answer to the call of a path with this number, from 0. */
type Respond = (path: string, count: number, query: URLSearchParams) => Answer;

/** Runs the binary against a service that answers so, which is also that of the profile `prod`. */
export async function runAgainst(
  respond: Respond,
  args: readonly string[],
  options: Partial<RunOptions> = {},
): Promise<Printed> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(String(request.url), 'http://localhost');
    const count = counts.get(pathname) ?? 0;
    counts.set(pathname, count + 1);
    const answer = respond(pathname.replace(/^\/v\d/, ''), count, searchParams);
    if (answer === BROKEN) return response.destroy();
    const isRefusal = Array.isArray(answer) && typeof answer[0] === 'number';
    const [status, body] = isRefusal ? (answer as [number, object]) : [200, answer];
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-client-'));
  const profiles = join(folder, '.config/gpu-endpoints');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
  try {
    const key = newSecret(Buffer.alloc(64));
    mkdirSync(profiles, { recursive: true });
    writeFileSync(join(profiles, 'profiles.json'), JSON.stringify({ prod: { url: url.replace('/v2', ''), key } }));
    const env = { GPU_ENDPOINTS_URL: url, GPU_ENDPOINTS_KEY: key };
    return await runBinary(args, { folder, env, ...options });
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  }
}
