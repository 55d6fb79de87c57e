import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, it } from 'node:test';
import { expect } from 'expect';
import { packageFolder } from '../../../lib/settings/package-files.ts';
import type { Suite } from '../suite.ts';

const PAGE = 'docs/guides/calling.md';

/** Returns all code blocks of a language, joined in their order. */
function snippets(language: string): string {
  const [, ...blocks] = readFileSync(join(packageFolder, PAGE), 'utf8').split(`\n\`\`\`${language}\n`);
  return blocks.map((block) => block.slice(0, block.indexOf('\n```\n') + 1)).join('\n');
}

type Misfortune = 'refuse' | 'lose the answer';

interface Accident {
  /** Address of the endpoint through the proxy with faults. */
  readonly url: string;
  /** Outcome of each `POST /run`. */
  readonly runs: { readonly key: string; readonly at: number; readonly answer: string }[];
  close(): void;
}

/** Starts a proxy to the endpoint. The first requests of `/run` get these faults. */
async function accidents(endpointUrl: string, misfortunes: readonly Misfortune[]): Promise<Accident> {
  const left = [...misfortunes];
  const runs: { key: string; at: number; answer: string }[] = [];

  async function forward({ method, url, headers }: IncomingMessage, body: string) {
    const kept = ['authorization', 'idempotency-key', 'content-type'].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, String(headers[name])] as [string, string]],
    );
    const answer = await fetch(endpointUrl + url, {
      method: String(method),
      headers: kept,
      body: method === 'POST' ? body : null,
    });
    return { status: answer.status, answer: await answer.text() };
  }

  async function pass(request: IncomingMessage, response: ServerResponse) {
    const body = await text(request);
    const isRun = request.url === '/run';
    const misfortune = isRun ? left.shift() : undefined;
    const at = performance.now();
    const refusal = { status: 429, answer: '{"error":"Too many.","code":"TOO_MANY_REQUESTS","requestId":"r"}' };
    const { status, answer } = misfortune === 'refuse' ? refusal : await forward(request, body);
    if (isRun) runs.push({ key: String(request.headers['idempotency-key']), at, answer });
    if (misfortune === 'lose the answer') request.socket.destroy();
    else response.writeHead(status, { 'Retry-After': '1' }).end(answer);
  }

  const server = createServer((request, response) => void pass(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, runs, close: () => server.close() };
}

const isHere = (command: string) => spawnSync(command, ['--version']).status === 0;

const languages = [
  {
    name: 'JavaScript',
    block: 'js',
    command: process.execPath,
    args: ['--input-type=module'],
    needs: process.execPath,
  },
  { name: 'Python', block: 'python', command: 'python3', args: ['-'], needs: 'python3' },
  { name: 'curl', block: 'sh', command: 'bash', args: ['-euo', 'pipefail'], needs: 'curl' },
] as const;

/** Runs the snippets for client developers from the documentation page. */
export function snippetsOfThePage({ target }: Suite): void {
  let way: Accident | undefined;
  afterEach(() => {
    way?.close();
  });

  async function run({ block, command, args }: (typeof languages)[number], misfortunes: readonly Misfortune[]) {
    const { serverlessUrl, endpoint, key } = target;
    way = await accidents(`${serverlessUrl}/${endpoint}`, misfortunes);
    const env = { ...process.env, ENDPOINT_URL: way.url, API_KEY: key };
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    // The first shell block is for callers with another address.
    child.stdin.end(snippets(block).replace(/^export ENDPOINT_URL=.*$/m, ''));
    const [printed, wrong] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { printed, wrong, code: child.exitCode, runs: way.runs };
  }

  describe(`the snippets of ${PAGE}`, () => {
    for (const language of languages) {
      const skip = !isHere(language.needs) && `${language.needs} is not installed`;
      // curl does not retry after a lost response.
      const misfortunes: Misfortune[] = language.name === 'curl' ? ['refuse'] : ['refuse', 'lose the answer'];
      describe(`in ${language.name}`, () => {
        it('[errors.retry] print the documented output, even after a refusal and a lost response', {
          skip,
        }, async () => {
          const { printed, wrong, code, runs } = await run(language, misfortunes);
          expect({ wrong, code }).toEqual({ wrong: expect.any(String), code: 0 });
          expect(printed).toContain('COMPLETED');
          const [refused, ...others] = runs;
          const again = others.slice(0, misfortunes.length);
          expect((again[0]?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
          expect(new Set([refused, ...again].map((each) => each?.key)).size).toBe(1);
          expect(new Set(again.map(({ answer }) => answer)).size).toBe(1);
          expect(new Set(runs.map(({ key }) => key)).size).toBe(runs.length - misfortunes.length);
        });
      });
    }
  });
}
