/** A deployment that answers the commands of a client, and a way to run a command against it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { newSecret } from '../../../core/keys/client-keys.ts';

/** A key of the form that deployments accept. */
export const KEY = newSecret(new Uint8Array(64).map((_, index) => index));

interface Answer {
  readonly status?: number;
  readonly body: object;
}

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
    const { status = 200, body } = answer(url, request);
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
      rmSync(folder, { recursive: true });
    },
  };
}

const PROGRAM = resolve('bin/cli.ts');

/** Runs a command of the binary in a folder. */
export async function runIn(
  folder: string,
  args: readonly string[],
  { env = {}, input = '' }: { readonly env?: NodeJS.ProcessEnv; readonly input?: string } = {},
) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    env: { PATH, HOME, XDG_CONFIG_HOME: folder, ...env },
  });
  child.stdin.end(input);
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status: status as number, stdout, stderr };
}
