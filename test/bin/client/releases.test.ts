/** Runs `gpu-endpoints releases` and `templates` as processes against a server that answers as the service does. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newSecret } from '../../../core/keys/client-keys.ts';

const CREATED = '2026-11-01T00:00:00.000Z';

/** Answers by method and path. */
let answers: Record<string, unknown>;
let calls: string[];
let url: string;

function setImage(image: string): void {
  answers['GET /v1/endpoints/own'] = { ...(answers['GET /v1/endpoints/own'] as object), image };
}

const server = createServer(async (request, response) => {
  const [path = ''] = (request.url ?? '').split('?');
  const name = `${request.method} ${path}`;
  let body = '';
  for await (const part of request) body += String(part);
  calls.push(body === '' ? name : `${name} ${body}`);
  const answer = answers[name];
  if (name.endsWith('/rollback')) setImage('team/own:2');
  response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(answer ?? { error: 'There is none.', code: 'NOT_FOUND' }));
});

beforeEach(async () => {
  calls = [];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

async function run(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, GPU_ENDPOINTS_URL: url, GPU_ENDPOINTS_KEY: newSecret(Buffer.alloc(64)) };
  try {
    return await promisify(execFile)(process.execPath, ['bin/cli.ts', ...args], { env });
  } catch (error) {
    return error as { stdout: string; stderr: string };
  }
}

const release = (revision: number, state: string) => ({
  state,
  revision,
  template: 'endpoint-own',
  version: revision,
  startedAt: CREATED,
});

/** Lets the service have an endpoint with these releases, newest first. */
function serve(running: number, releases: readonly ReturnType<typeof release>[], isPlatform = false): void {
  const template = { id: 'endpoint-own', version: 3 };
  answers = {
    'GET /v1/endpoints/own': {
      id: 'own',
      image: 'team/own:3',
      template,
      running: { template: template.id, version: running, revision: running, since: CREATED },
    },
    'GET /v1/endpoints/own/releases': { releases },
    'GET /v1/templates/endpoint-own': { ...template, isPlatform },
    'POST /v1/endpoints/own/rollback': { id: 'own', restores: { revision: 1, version: 1 }, template: template.id },
  };
}
const rollbacks = () => calls.filter((call) => call.startsWith('POST'));

describe('releases rollback without a number', () => {
  it('restores the release before the one that runs, and prints the image', async () => {
    serve(3, [release(3, 'COMPLETED'), release(2, 'SUPERSEDED'), release(1, 'SUPERSEDED')]);
    const { stdout } = await run('releases', 'rollback', 'own');
    expect(rollbacks()).toEqual(['POST /v1/endpoints/own/rollback {"revision":2}']);
    expect(stdout).toContain('The image changes from team/own:3 to team/own:2.');
  });

  it('restores the release that runs while another one is in progress', async () => {
    serve(2, [release(3, 'IN_PROGRESS'), release(2, 'COMPLETED'), release(1, 'SUPERSEDED')]);
    await run('releases', 'rollback', 'own');
    expect(rollbacks()).toEqual(['POST /v1/endpoints/own/rollback {"revision":2}']);
  });

  it('refuses to go further than the automatic rollback of the last release', async () => {
    serve(2, [release(3, 'ROLLED_BACK'), release(2, 'COMPLETED'), release(1, 'SUPERSEDED')]);
    const { stderr } = await run('releases', 'rollback', 'own');
    expect(stderr).toBe(
      'Release 2 already runs since the rollback of 3; to go further: npx gpu-endpoints releases rollback own 1\n',
    );
    expect(rollbacks()).toEqual([]);
  });

  it('says that only its file changes an official template', async () => {
    serve(1, [release(1, 'COMPLETED')], true);
    const { stderr } = await run('releases', 'rollback', 'own');
    expect(stderr).toBe('Template endpoint-own is official: change its file in templates/ and deploy.\n');
  });
});

describe('templates get', () => {
  it('prints the ids of the endpoints, and who changed a field and why', async () => {
    const by = { kind: 'user', id: '1', name: 'ada' };
    answers = {
      'GET /v1/templates/chat': {
        id: 'chat',
        name: 'chat',
        version: 1,
        imageName: 'team/chat:1',
        endpoints: [{ id: 'one', release: { state: 'COMPLETED' } }, { id: 'two' }],
        drift: [{ field: 'imageName', declared: 'team/chat:0', by, at: CREATED, reason: 'Version 0 is slow.' }],
      },
    };
    const { stdout } = await run('templates', 'get', 'chat');
    expect(stdout).toMatch(/^Endpoints +one, two$/m);
    expect(stdout).toMatch(/^Changed +imageName, by the user ada \d+ d ago: Version 0 is slow\.$/m);
  });
});
