/** Runs the HTTP server of llama.cpp with a model of random weights, as the worker of an endpoint of `npm start`. */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readDeclarations } from '../../../../lib/endpoints/declaration.ts';
import { prepared } from '../../../runner/prepared.ts';
import { assemblyWith } from '../../added-endpoints.ts';
import { type LocalService, newStateDir, startService } from '../../local-service.ts';
import { pythonWith } from '../python.ts';

const FOLDER = resolve('test/acceptance/workers/llama');
/** llama.cpp b11549. `images.yaml` names the interpreter that has the package. */
const SERVER_VERSION = '2026.10.11549';
const WRITER_VERSION = '0.19.0';

/** Id of the endpoint, which runs one job at a time. */
export const LLAMA = 'llama';

/**
 * Creates the model.
 * @returns the path of its file
 */
async function model(): Promise<string> {
  const script = join(FOLDER, 'write_model.py');
  const folder = await prepared('llama', [script], async (made) => {
    await promisify(execFile)(await pythonWith('gguf', WRITER_VERSION), [script, join(made, 'tiny.gguf')]);
  });
  return join(folder, 'tiny.gguf');
}

/** Starts the service with the endpoint. Its workers need Python. */
export async function startLlamaService(): Promise<LocalService> {
  const stateDir = newStateDir();
  const assembly = join(stateDir, 'changed-assembly');
  const [MODEL] = await Promise.all([model(), pythonWith('xllamacpp', SERVER_VERSION)]);
  await assemblyWith(
    assembly,
    readDeclarations(FOLDER).map((declaration) => ({ ...declaration, env: { MODEL } })),
  );
  const env = { LOCAL_IMAGES: join(FOLDER, 'images.yaml') };
  return startService(stateDir, { args: ['--assembly', assembly], env });
}
