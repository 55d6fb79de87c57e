/** Compiles the example of a route in CONTRIBUTING.md, which a reader copies. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const [, section = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split(/^### (?=A route$)/m);
const blocks = [...(section.split(/^### /m)[0] ?? '').matchAll(/```ts\n(.*?) *```/gs)].map(([, code = '']) => code);
const [record, useCase, test, handler, grant, row, step] = blocks;

/** The example's files, and modules that contain the code that the example adds to a file. */
const files: Readonly<Record<string, string | undefined>> = {
  'core/status/newest.ts': useCase,
  'test/status/newest.test.ts': test,
  'lambda/jobs/newest.ts': handler,
  'core/operations/example.ts': `
import { exactObject, text } from '../openapi/schema.ts';
import type { OperationDefinitions } from './operation.ts';
import { endpointCodes } from './parameters.ts';
export const example = {${record}} satisfies OperationDefinitions;`,
  'lib/jobs/example.ts': `
import type { ServiceFunction } from '../constructs/function.ts';
import type { JobsTable } from './tables.ts';
export function access(jobs: JobsTable, newest: ServiceFunction): void {${grant}}`,
  'bin/verify/rows/example.ts': `
import { it } from 'node:test';
import { expect } from 'expect';
import type { Suite } from '../suite.ts';
export function rows({ ask, run }: Suite): void {${row}}`,
  'packages/lab/permissions/example.ts': `
import { FIRST } from './assemblies.ts';
import type { Stage } from './stage.ts';
type Ask = (stage: Stage, method: string, path: string) => Promise<unknown>;
export async function step(stage: Stage, JobApiUrl: string, ask: Ask): Promise<void> {${step}}`,
};

const root = resolve('.');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-contributing-'));
  for (const [file, code = ''] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const compilerOptions = { rootDirs: [root, folder] };
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, files: Object.keys(files), include: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('shows a route that compiles in CONTRIBUTING.md', () => {
  expect(blocks).toHaveLength(7);
  const { stdout, status } = spawnSync('node_modules/.bin/tsc', ['-p', folder], { encoding: 'utf8' });
  expect([stdout, status]).toEqual(['', 0]);
}, 120_000);
