/**
 * RunPod's local server, `--rp_serve_api` of its Python SDK. It is a tool for the development of a handler, without a
 * store: `/runsync` runs the job within the request, and nothing outlives the process. It has no settings that change
 * this. An asynchronous handler runs any number of jobs at the same time, so that the limit is the number of clients.
 */
import { join } from 'node:path';
import { hasPython, pythonWithSdk, SDK_VERSION } from '../../../../test/acceptance/workers/python.ts';
import { freePort } from '../../../emulator/network/ports.ts';
import { accepted, createClient } from './http.ts';
import { EXECUTIONS, type Peer, type Running } from './peer.ts';
import { PROGRAMS } from './programs.ts';
import { supervise } from './supervised.ts';

async function start(folder: string): Promise<Running> {
  const port = await freePort();
  const server = await supervise({
    command: await pythonWithSdk(),
    args: [join(PROGRAMS, 'handler.py'), '--rp_serve_api', '--rp_api_host', '127.0.0.1', '--rp_api_port', String(port)],
    environment: { EXECUTIONS: join(folder, EXECUTIONS), RUNPOD_DEBUG_LEVEL: 'ERROR' },
    folder,
    port,
    log: join(folder, 'server.log'),
  });
  const client = createClient(`http://127.0.0.1:${port}`);
  let keys = 0;
  return {
    pids: () => [server.pid()],
    async submit(ms) {
      keys += 1;
      const key = `${folder}-${process.hrtime.bigint()}-${keys}`;
      const { status } = accepted(await client.post('/runsync', { input: { key, ms } }));
      if (status !== 'COMPLETED') throw new Error(`The job ended as ${status}.`);
      return key;
    },
    outcome: async () => 'done',
    isSync: true,
    parts: { server: server.kill },
    async stop() {
      client.close();
      await server.stop();
    },
  };
}

export const runpod: Peer = {
  name: 'runpod',
  title: "RunPod's local server (`/runsync`)",
  settings: [`runpod ${SDK_VERSION} with \`--rp_serve_api\``, 'no store, no queue, no retries'],
  missing: () => (hasPython() ? undefined : 'python3 is missing. On Debian: apt-get install --yes python3-venv'),
  start,
};
