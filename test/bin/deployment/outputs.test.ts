/** Tests which outputs a command uses from the file of `deploy --outputs-file`. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { useDeployment, useOutputs, useTable } from '../../../bin/deployment/outputs.ts';
import { json, startStub } from '../doctor/stub.ts';

const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-outputs-'));
const outputs = join(folder, 'outputs.json');
afterAll(() => rmSync(folder, { recursive: true }));

const platformOf = (deployment: string) => ({
  [`${deployment}-Platform`]: { Deployment: deployment, KeysTable: `${deployment}-keys` },
  [`${deployment}-Endpoint-echo`]: { ExportsOutput: 'x' },
});

/** Writes an outputs file with these stacks, and returns options with which a command reads the file. */
function optionsWith(stacks: object, deployment?: string) {
  writeFileSync(outputs, JSON.stringify(stacks));
  return { outputs, local: false, ...(deployment !== undefined && { deployment }) };
}

describe('the outputs of a deployment', () => {
  it.each(['gpu-endpoints', 'prod'])('are found by name, regardless of the names of the stacks: %s', (deployment) => {
    const options = optionsWith(platformOf(deployment));
    expect(useTable(options, 'KeysTable')).toBe(`${deployment}-keys`);
    expect(useDeployment(options)).toBe(deployment);
  });

  it('are found in a file of a version without deployments', () => {
    expect(useTable(optionsWith({ Platform: { KeysTable: 'keys' } }), 'KeysTable')).toBe('keys');
  });

  it('are selected by --deployment if the file has several deployments, with no default', () => {
    const both = { ...platformOf('prod'), ...platformOf('test') };
    expect(useTable(optionsWith(both, 'test'), 'KeysTable')).toBe('test-keys');
    expect(() => useTable(optionsWith(both), 'KeysTable')).toThrow(
      `${outputs} has outputs of several deployments, prod, test: choose one with --deployment.`,
    );
    expect(() => useDeployment(optionsWith(both))).toThrow('choose one with --deployment');
    expect(() => useTable(optionsWith(both, 'live'), 'KeysTable')).toThrow(
      `${outputs} has no outputs of the deployment live, only of prod, test.`,
    );
  });

  it('name each deployment once, and the stacks if two are of one deployment', () => {
    const twice = {
      'old-Platform': { Deployment: 'a', KeysTable: 'old' },
      Platform: { Deployment: 'a', KeysTable: 'k' },
    };
    expect(() => useTable(optionsWith(twice), 'KeysTable')).toThrow(
      `${outputs} has outputs of several stacks of one deployment, old-Platform, Platform: delete those of the outdated stacks from the file.`,
    );
    const more = { ...twice, Other: { Deployment: 'b', KeysTable: 'b' }, Unnamed: { KeysTable: 'unnamed' } };
    expect(() => useTable(optionsWith(more), 'KeysTable')).toThrow('several deployments, a, b: choose');
    expect(() => useTable(optionsWith({ Unnamed: { KeysTable: 'unnamed' } }, 'a'), 'KeysTable')).toThrow(
      `${outputs} has no outputs of the deployment a.`,
    );
  });

  it('cause an error with what to do if they are missing', () => {
    expect(() => useOutputs(optionsWith({ 'prod-Storage': {} }), ['KeysTable', 'JobsTable'])).toThrow(
      `${outputs} has no output KeysTable, JobsTable: deploy with --outputs-file ${outputs}.`,
    );
    expect(() => useOutputs(optionsWith(platformOf('prod')), ['KeysTable', 'JobsTable'])).toThrow(
      `${outputs} has no output JobsTable: deploy with --outputs-file ${outputs}.`,
    );
  });
});

describe('the deployment whose secrets a command changes', () => {
  it('is that of --deployment, which must be a valid name', () => {
    expect(useDeployment({ outputs: 'missing.json', local: false, deployment: 'prod' })).toBe('prod');
    expect(() => useDeployment({ outputs: 'missing.json', local: false, deployment: 'Prod' })).toThrow(
      '--deployment must be 1 to 32 characters of a-z, 0-9 and single hyphens',
    );
  });

  it('is the default if the usual outputs file is missing, but a missing file of --outputs is an error', () => {
    expect(useDeployment({ outputs: 'outputs.json', local: false })).toBe('gpu-endpoints');
    expect(() => useDeployment({ outputs: join(folder, 'other.json'), local: false })).toThrow('does not exist');
  });
});

describe('--env local with --table', () => {
  /** Runs `keys ls` with these outputs of `dev`, and returns its result and the tables that it scanned. */
  async function listKeys(outputsOf: (url: string) => object) {
    const stub = await startStub();
    const tables: (string | undefined)[] = [];
    stub.answer({
      Scan: ({ TableName }) => {
        tables.push(TableName);
        return json({ Items: [], Count: 0 });
      },
    });
    writeFileSync(join(folder, 'outputs.json'), JSON.stringify(outputsOf(stub.url)));
    // Nothing listens on this address: the command would call it if it did not use the outputs of `dev`.
    const user = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9', AWS_ACCESS_KEY_ID: 'real', AWS_SECRET_ACCESS_KEY: 'real' };
    const { PATH } = process.env;
    const env = { PATH, LOCAL_STATE_DIR: folder, AWS_REGION: 'eu-west-1', AWS_MAX_ATTEMPTS: '1', ...user };
    const { promise, resolve } = Promise.withResolvers<{ code: unknown; stdout: string; stderr: string }>();
    const args = ['bin/cli.ts', 'keys', 'ls', '--env', 'local', '--table', 'my-keys'];
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
    const result = await promise;
    await stub.stop();
    return { ...result, tables };
  }

  it('reads the table from the emulators of `dev`', async () => {
    const result = await listKeys((url) => {
      const credentials = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
      const AwsEnvironment = { AWS_ENDPOINT_URL: url, AWS_REGION: 'us-east-1', ...credentials };
      return { Platform: { Deployment: 'local', KeysTable: 'keys', AwsEnvironment } };
    });
    expect(result).toEqual({ code: 0, stdout: 'There are no keys.\n', stderr: '', tables: ['my-keys'] });
  });

  it('is refused while `dev` does not run', async () => {
    const { code, stderr, tables } = await listKeys(() => ({}));
    expect(code).toBe(1);
    expect(stderr).toContain('run `npm start` in another terminal');
    expect(tables).toEqual([]);
  });
});
