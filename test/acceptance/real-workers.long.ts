/**
 * Tests existing images over HTTP: workers of RunPod's Python SDK in several versions. If WORKERS_DIR names a
 * folder with their checkouts, also tests the unmodified code of worker-vllm, worker-faster_whisper and
 * worker-comfyui with stand-ins for GPU programs. Prints the table of docs/reference/real-workers.md. With
 * RECORD_REAL_WORKERS=true and the checkouts, also writes it.
 */
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pLimit from 'p-limit';
import { MINUTE } from '../../core/limits.ts';
import { sharedEmulators } from '../runner/emulators.ts';
import { assemblyWith } from './added-endpoints.ts';
import { type LocalService, newStateDir, startService, stopService } from './local-service.ts';
import type { Cell } from './real-workers/cell.ts';
import { preparePlaces, workerNames } from './real-workers/places.ts';
import { BUCKET } from './real-workers/sdk.ts';
import { allSdkCells, record, tableOf, workerCells } from './real-workers/table.ts';
import { withPython } from './workers/kinds-here.ts';
import { placeAt } from './workers/place.ts';

const { WORKERS_DIR, RECORD_REAL_WORKERS } = process.env;
/** Limit for the whole suite, because each test waits for earlier tests at its endpoint. */
const LIMIT = 12 * MINUTE;
/** Maximum number of endpoints whose cells run at the same time. Their agents and Python processes start slowly. */
const ENDPOINTS_AT_ONCE = 6;

const stateDir = newStateDir();
let service: LocalService | undefined;

const cells = withPython
  ? [...allSdkCells(() => sharedEmulators().s3Url), ...(WORKERS_DIR ? workerNames.flatMap(workerCells) : [])]
  : [];
const outcomes = new Map(cells.map((cell) => [cell, Promise.withResolvers<void>()]));
// The test of a cell awaits its outcome and reports its failure.
for (const { promise } of outcomes.values()) promise.catch(() => undefined);
const passed = new Set<Cell>();

/** Runs the cells of each endpoint one after the other. They spend most of their time waiting. */
function runAll(running: LocalService): void {
  const limit = pLimit(ENDPOINTS_AT_ONCE);
  for (const [endpoint, theirs] of Map.groupBy(cells, (cell) => cell.endpoint))
    void limit(async () => {
      for (const cell of theirs) {
        const outcome = outcomes.get(cell);
        await cell.check(placeAt(running, endpoint)).then(() => {
          passed.add(cell);
          outcome?.resolve();
        }, outcome?.reject);
      }
    });
}

beforeAll(async () => {
  if (!withPython) return;
  const { s3Url } = sharedEmulators();
  const credentials = { accessKeyId: 'suite', secretAccessKey: 'secret' };
  const s3 = new S3Client({ endpoint: s3Url, region: 'us-east-1', forcePathStyle: true, credentials });
  await s3.send(new CreateBucketCommand({ Bucket: BUCKET }));
  s3.destroy();
  const { declarations, images } = await preparePlaces(stateDir, s3Url, WORKERS_DIR);
  const assembly = join(stateDir, 'changed-assembly');
  await assemblyWith(assembly, declarations);
  service = await startService(stateDir, { args: ['--assembly', assembly], env: { LOCAL_IMAGES: images } });
  runAll(service);
}, LIMIT);

afterAll(async () => {
  const text = tableOf(cells, (cell) => (passed.has(cell) ? cell.result : 'FAILED'));
  if (cells.length > 0) console.log(text);
  if (RECORD_REAL_WORKERS === 'true' && WORKERS_DIR && passed.size === cells.length) record(text);
  if (service) await stopService(service);
});

it('runs if Python is installed, and prints which tests it skips', () => {
  if (!withPython) console.log('The Python SDK is not tested: Python with virtual environments is missing.');
  else if (!WORKERS_DIR)
    console.log('WORKERS_DIR is not set: worker-vllm, -faster_whisper and -comfyui are not tested.');
  expect(cells.length > 0).toBe(withPython);
});

for (const [title, theirs] of Map.groupBy(cells, ({ worker, version }) => `a worker of ${worker} ${version}`))
  describe(title, () => {
    it.each(theirs.map((cell) => [`${cell.name}: ${cell.result}`, cell] as const))(
      '%s',
      (_title, cell) => outcomes.get(cell)?.promise,
      LIMIT,
    );
  });
