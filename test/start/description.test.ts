/** Tests the description of this product, with which `npm start` runs its stacks. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { gpuEndpoints } from '../../bin/start/description.ts';
import { fingerprint } from '../../packages/emulator/synthesis/synthesize.ts';
import { newFolder } from '../../packages/emulator/test/small-service.ts';

/** Folders of declarations, which tests have in a folder of their own (`test/runner/before-all-files.ts`). */
const declaredRooms = ['capacity', 'endpoints', 'environments', 'templates'];

it.each([
  ...declaredRooms.map((room) => `test/declared/${room}/new.yaml`),
  ...['ingress', 'lambda', 'lib', 'worker', 'core', 'aws'].map((room) => `${room}/new.ts`),
])('runs the app again when there is a new file %s', (file) => {
  const folder = newFolder();
  const app = { ...gpuEndpoints.app, folder };
  const before = fingerprint(app, {});
  expect(fingerprint(app, {})).toBe(before);
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), '');
  expect(fingerprint(app, {})).not.toBe(before);
});

it('gives the app a context in which a synthesis takes seconds', () => {
  // The emulated account and Region replace the user's, the console is built when a user opens it, bundles are kept,
  // the sources of images are not copied, and constructs have no stack traces.
  expect(gpuEndpoints.app.context).toEqual({
    'environment:without-place': true,
    'console:built-later': true,
    'bundles:kept': true,
    'images:not-copied': true,
    'aws:cdk:disable-stack-trace': true,
    'aws:cdk:disable-creation-stack-traces': true,
  });
});

it('explains a body that is too slow as the ingress does', () => {
  expect(JSON.parse(gpuEndpoints.slowBodies?.answer(12, 'a1') ?? '')).toEqual({
    error: 'The body was too slow: 12 bytes arrived. Send at least 65536 bytes/s and pause less than 20 s.',
    code: 'REQUEST_TIMEOUT',
    requestId: 'a1',
  });
});

it('names a command of the binary as the first step of a service that is ready', () => {
  const examples = gpuEndpoints.examples?.({ JobApiUrl: 'http://127.0.0.1:3000/v2' }, ['chat'], true);
  expect(examples?.commands[0]).toBe(`npx gpu-endpoints run chat --input '{"text":"hello"}' --wait`);
});
