/** Declares the endpoints of the suite, and the commands that replace their images. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pLimit from 'p-limit';
import { type EndpointDeclaration, readDeclarations } from '../../../lib/endpoints/declaration.ts';
import { pythonWith } from '../workers/python.ts';
import { imageOf, writeImages } from './images.ts';
import { type Pin, pins, SDK_VERSIONS, type WorkerName } from './pins.ts';
import { sdkEndpoint, TEMPLATE_ACCESS_KEY } from './sdk.ts';
import { attachedEndpoint } from './table.ts';
import { CONCURRENCY, MODEL } from './vllm.ts';

const STAND_INS = resolve('test/acceptance/real-workers/stand-ins');
const SDK_WORKER = resolve('test/acceptance/workers/python-worker.py');
/**
 * Folder for compiled Python modules. Otherwise Python would write them into the checkouts and next to the
 * stand-ins.
 */
const BYTECODE = resolve('node_modules/.cache/python-bytecode');
/** Number of concurrent installations. Each needs a processor for some seconds. */
const INSTALLATIONS = 2;

export const workerNames = Object.keys(pins) as WorkerName[];

/** Fields of an endpoint file. */
type Fields = Readonly<Record<string, unknown>>;

interface Worker {
  readonly endpoint: string;
  readonly fields: Fields;
  readonly command: readonly string[];
}

/**
 * Returns the checkout of the worker.
 * @throws Error if it is at another commit
 */
function checkoutOf(workersDir: string, { repository, commit, files }: Pin): string {
  const folder = resolve(workersDir, repository);
  for (const [file, digest] of Object.entries(files))
    if (
      createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex') !== digest
    )
      throw new Error(`WORKERS_DIR must have ${repository} at commit ${commit}, but ${file} is different.`);
  return folder;
}

const fieldsOf: Readonly<Record<WorkerName, Fields>> = {
  vllm: { concurrency: CONCURRENCY, env: { MODEL_NAME: MODEL } },
  whisper: {},
  // Without a limit, the worker waits 25 s for a dead server, because it does not have the server's process id.
  comfyui: { env: { COMFY_API_AVAILABLE_MAX_RETRIES: '5' } },
};

/** Runs the command in a temporary folder below the service's state directory, which is removed later. */
const inOwnFolder = (stateDir: string, ...command: string[]) => [
  'env',
  `TMPDIR=${stateDir}`,
  join(STAND_INS, 'in-own-folder.sh'),
  'env',
  ...command,
];

async function workersOf(name: WorkerName, workersDir: string, stateDir: string): Promise<Worker[]> {
  const { repository, sdk, packages } = pins[name];
  const folder = checkoutOf(workersDir, pins[name]);
  const python = await pythonWith('runpod', sdk, packages);
  const variables = [
    `NODE=${process.execPath}`,
    `STAND_IN_LOG=${join(stateDir, `log-${name}`)}`,
    `PYTHONPYCACHEPREFIX=${BYTECODE}`,
  ];
  const command = inOwnFolder(stateDir, ...variables, 'sh', join(STAND_INS, `${repository}.sh`), folder, python);
  const endpoints = name === 'vllm' ? [name, attachedEndpoint] : [name];
  return endpoints.map((endpoint) => ({ endpoint, fields: fieldsOf[name], command }));
}

async function sdkWorkersOf(version: string, stateDir: string, s3Url: string): Promise<Worker[]> {
  const command = inOwnFolder(stateDir, await pythonWith('runpod', version), SDK_WORKER);
  const bucket = {
    BUCKET_ENDPOINT_URL: s3Url,
    BUCKET_ACCESS_KEY_ID: TEMPLATE_ACCESS_KEY,
    BUCKET_SECRET_ACCESS_KEY: 'secret',
  };
  return [
    { endpoint: sdkEndpoint(version, 'sync'), fields: { env: { HANDLER: 'sync', ...bucket } }, command },
    { endpoint: sdkEndpoint(version, 'stream'), fields: { concurrency: 4, env: { HANDLER: 'stream' } }, command },
  ];
}

export interface Places {
  readonly declarations: readonly EndpointDeclaration[];
  /** Path of the file for LOCAL_IMAGES. */
  readonly images: string;
}

/**
 * Installs the SDKs, and declares an endpoint for each worker.
 * @param workersDir folder with the checkouts of the three workers.
 * @default - only the workers of the SDKs
 */
export async function preparePlaces(stateDir: string, s3Url: string, workersDir?: string): Promise<Places> {
  const limit = pLimit(INSTALLATIONS);
  const prepared = await Promise.all([
    ...SDK_VERSIONS.map((version) => limit(() => sdkWorkersOf(version, stateDir, s3Url))),
    ...(workersDir === undefined ? [] : workerNames).map((name) =>
      limit(() => workersOf(name, workersDir ?? '', stateDir)),
    ),
  ]);
  const workers = prepared.flat();
  const folder = join(stateDir, 'declared');
  mkdirSync(join(folder, 'endpoints'), { recursive: true });
  // JSON is valid YAML.
  for (const { endpoint, fields } of workers) {
    const file = { image: imageOf(endpoint), volumeInGb: 0, maxWorkers: 1, ...fields };
    writeFileSync(join(folder, 'endpoints', `${endpoint}.yaml`), JSON.stringify(file));
  }
  return { declarations: readDeclarations(folder), images: writeImages(stateDir, workers) };
}
