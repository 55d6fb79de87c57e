/** Tests which deployment `--env` selects. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chosenBy } from '../../../bin/deployment/options.ts';

const { DECLARATIONS, AWS_REGION } = process.env;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-environments-'));
  mkdirSync(join(folder, 'environments'));
  writeFileSync(
    join(folder, 'environments/prod.yaml'),
    'deployment: live\naccount: "111111111111"\nregion: eu-west-1\n',
  );
  process.env.DECLARATIONS = folder;
});
afterEach(() => {
  Object.assign(process.env, { DECLARATIONS, AWS_REGION });
  if (DECLARATIONS === undefined) delete process.env.DECLARATIONS;
  if (AWS_REGION === undefined) delete process.env.AWS_REGION;
  rmSync(folder, { recursive: true });
});

describe('--env', () => {
  it('selects the deployment of an environment of the repository, in its Region', async () => {
    const chosen = await chosenBy({ env: 'prod', outputs: 'outputs.json' });
    expect([chosen, process.env.AWS_REGION]).toEqual([
      { outputs: 'outputs.json', deployment: 'live', local: false },
      'eu-west-1',
    ]);
  });

  it('selects the service of `dev` in this folder by the name local', async () => {
    expect(await chosenBy({ env: 'local', outputs: 'x' })).toEqual({ outputs: 'x', local: true });
  });

  it('names the environments if there is none with the name', async () => {
    await expect(chosenBy({ env: 'prd', outputs: 'x' })).rejects.toThrow('prd');
  });
});

describe('without --env', () => {
  const { LOCAL_STATE_DIR } = process.env;
  afterEach(() => {
    if (LOCAL_STATE_DIR === undefined) delete process.env.LOCAL_STATE_DIR;
    else process.env.LOCAL_STATE_DIR = LOCAL_STATE_DIR;
  });

  it('selects the service of `dev` if this folder has no other outputs', async () => {
    process.env.LOCAL_STATE_DIR = folder;
    const flags = { outputs: 'outputs.json' };
    expect(await chosenBy(flags)).toEqual({ ...flags, local: false });
    writeFileSync(join(folder, 'outputs.json'), '{}');
    expect(await chosenBy(flags)).toEqual({ ...flags, local: true });
    for (const more of [{ deployment: 'live' }, { table: 'keys' }, { outputs: 'other.json' }])
      expect(await chosenBy({ ...flags, ...more })).toMatchObject({ local: false });
  });
});
