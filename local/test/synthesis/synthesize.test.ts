import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { gpuEndpoints } from '../../gpu-endpoints.ts';
import { lockStateDirectory } from '../../state/state-directory.ts';
import { synthesize } from '../../synthesis/synthesize.ts';
import { newFolder } from '../small-service.ts';

/** An app that writes its settings to a file of the assembly. */
const APP = `
import { mkdirSync, writeFileSync } from 'node:fs';
const { CDK_OUTDIR, CDK_CONTEXT_JSON, RUN } = process.env;
mkdirSync(CDK_OUTDIR);
writeFileSync(CDK_OUTDIR + '/received.json', JSON.stringify({ context: JSON.parse(CDK_CONTEXT_JSON), RUN }));
`;

function newApp() {
  const folder = newFolder();
  const state = lockStateDirectory(join(folder, 'state'));
  for (const room of ['bin', 'core']) mkdirSync(join(folder, room));
  writeFileSync(join(folder, 'cdk.json'), '{"context":{"flag":true}}');
  writeFileSync(join(folder, 'bin', 'gpu-endpoints.ts'), APP);
  return {
    folder,
    synth: (given?: Record<string, string>) =>
      synthesize({ ...gpuEndpoints.app, folder }, state, { RUN: 'this one' }, given),
  };
}

/** Folders of declarations, which tests have in a folder of their own (`test/runner/before-all-files.ts`). */
const declaredRooms = ['capacity', 'endpoints', 'environments', 'templates'];

/** An app that is synthesized one time, for tests that only add a file: each synthesis starts a process. */
const growing = newApp();
let folder: string;
let synth: ReturnType<typeof newApp>['synth'];

beforeAll(() => growing.synth());
beforeEach(() => {
  ({ folder, synth } = newApp());
});

describe('the synthesis', () => {
  it('runs the app as the CDK does, and marks it as a process of this run', async () => {
    const { folder: assembly, made } = await synth();
    expect(made).toBe(true);
    const received = JSON.parse(readFileSync(join(assembly, 'received.json'), 'utf8'));
    // The emulated account and Region replace the user's, the console is built when a user opens it, bundles are kept,
    // the sources of images are not copied, and constructs have no stack traces.
    const ofStart = {
      'environment:without-place': true,
      'console:built-later': true,
      'bundles:kept': true,
      'images:not-copied': true,
      'aws:cdk:disable-stack-trace': true,
      'aws:cdk:disable-creation-stack-traces': true,
    };
    const context = { flag: true, ...ofStart };
    expect(received).toEqual({ context, RUN: 'this one' });
  });

  it('runs again only when one of its inputs has changed', async () => {
    await synth();
    expect((await synth()).made).toBe(false);
    writeFileSync(join(folder, 'core', 'routes.ts'), 'export {};');
    expect((await synth()).made).toBe(true);
    writeFileSync(join(folder, 'core', 'routes.ts'), 'export { };');
    expect((await synth()).made).toBe(true);
    rmSync(join(folder, 'core', 'routes.ts'));
    expect((await synth()).made).toBe(true);
    writeFileSync(join(folder, 'README.md'), 'More.');
    expect((await synth()).made).toBe(false);
  });

  it('passes the context of the command line to the app, and runs again if the context changes', async () => {
    const { folder: assembly } = await synth({ deployment: 'b', flag: 'off' });
    const received = JSON.parse(readFileSync(join(assembly, 'received.json'), 'utf8'));
    expect(received.context).toMatchObject({ deployment: 'b', flag: 'off' });
    expect((await synth({ deployment: 'b', flag: 'off' })).made).toBe(false);
    expect((await synth({ deployment: 'c', flag: 'off' })).made).toBe(true);
    expect((await synth()).made).toBe(true);
  });

  it.each([...declaredRooms, 'ingress', 'lambda', 'lib', 'worker'])(
    'runs again when %s has a new file',
    async (room) => {
      expect((await growing.synth()).made).toBe(false);
      const folder = declaredRooms.includes(room) ? join('test/declared', room) : room;
      mkdirSync(join(growing.folder, folder), { recursive: true });
      writeFileSync(join(growing.folder, folder, 'new.yaml'), '');
      expect((await growing.synth()).made).toBe(true);
    },
  );

  it('shows the output of the app when it fails, and then runs again', async () => {
    await synth();
    const app = join(folder, 'bin', 'gpu-endpoints.ts');
    writeFileSync(app, `console.error('endpoints/x.yaml: \`image\` is missing'); process.exitCode = 1;`);
    await expect(synth()).rejects.toThrow(
      /endpoints\/x\.yaml: `image` is missing\nThe stacks could not be synthesized/,
    );
    await expect(synth()).rejects.toThrow();
    writeFileSync(app, APP);
    expect((await synth()).made).toBe(true);
  });
});
