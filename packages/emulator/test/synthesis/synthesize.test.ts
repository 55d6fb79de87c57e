import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
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

const app = {
  program: 'bin/app.ts',
  sources: ['{bin,core}/**/*'],
  settings: ['cdk.json', 'package.json'],
  context: { 'site:later': true },
};

function newApp() {
  const folder = newFolder();
  const state = lockStateDirectory(join(folder, 'state'));
  for (const room of ['bin', 'core']) mkdirSync(join(folder, room));
  writeFileSync(join(folder, 'cdk.json'), '{"context":{"flag":true}}');
  writeFileSync(join(folder, 'bin', 'app.ts'), APP);
  return {
    folder,
    synth: (given?: Record<string, string>) => synthesize({ ...app, folder }, state, { RUN: 'this one' }, given),
  };
}

let folder: string;
let synth: ReturnType<typeof newApp>['synth'];

beforeEach(() => {
  ({ folder, synth } = newApp());
});

describe('the synthesis', () => {
  it('runs the app as the CDK does, and marks it as a process of this run', async () => {
    const { folder: assembly, made } = await synth();
    expect(made).toBe(true);
    const received = JSON.parse(readFileSync(join(assembly, 'received.json'), 'utf8'));
    const context = { flag: true, 'site:later': true };
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

  it('shows the output of the app when it fails, and then runs again', async () => {
    await synth();
    const program = join(folder, 'bin', 'app.ts');
    writeFileSync(program, `console.error('stack.yaml: \`image\` is missing'); process.exitCode = 1;`);
    await expect(synth()).rejects.toThrow(/stack\.yaml: `image` is missing\nThe stacks could not be synthesized/);
    await expect(synth()).rejects.toThrow();
    writeFileSync(program, APP);
    expect((await synth()).made).toBe(true);
  });
});
