/** Tests which outputs a command uses from the file of `cdk deploy --outputs-file`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { deploymentNameOf, outputsOf, tableOf } from '../../bin/place.ts';

const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-place-'));
const outputs = join(folder, 'outputs.json');
afterAll(() => rmSync(folder, { recursive: true }));

const platformOf = (deployment: string) => ({
  [`${deployment}-Platform`]: { Deployment: deployment, KeysTable: `${deployment}-keys` },
  [`${deployment}-Endpoint-echo`]: { ExportsOutput: 'x' },
});

/** Writes an outputs file with these stacks, and returns options with which a command reads the file. */
function placeWith(stacks: object, deployment?: string) {
  writeFileSync(outputs, JSON.stringify(stacks));
  return { outputs, local: false, ...(deployment !== undefined && { deployment }) };
}

describe('the outputs of a deployment', () => {
  it.each(['gpu-endpoints', 'prod'])('are found by name, regardless of the names of the stacks: %s', (deployment) => {
    const place = placeWith(platformOf(deployment));
    expect(tableOf(place, 'KeysTable')).toBe(`${deployment}-keys`);
    expect(deploymentNameOf(place)).toBe(deployment);
  });

  it('are found in a file of a version without deployments', () => {
    expect(tableOf(placeWith({ Platform: { KeysTable: 'keys' } }), 'KeysTable')).toBe('keys');
  });

  it('are selected by --deployment if the file has several deployments, with no default', () => {
    const both = { ...platformOf('prod'), ...platformOf('test') };
    expect(tableOf(placeWith(both, 'test'), 'KeysTable')).toBe('test-keys');
    expect(() => tableOf(placeWith(both), 'KeysTable')).toThrow(
      `${outputs} has outputs of several deployments, prod, test: choose one with --deployment.`,
    );
    expect(() => deploymentNameOf(placeWith(both))).toThrow('choose one with --deployment');
    expect(() => tableOf(placeWith(both, 'live'), 'KeysTable')).toThrow(
      `${outputs} has no outputs of the deployment live, only of prod, test.`,
    );
  });

  it('cause an error with what to do if they are missing', () => {
    expect(() => outputsOf(placeWith({ 'prod-Storage': {} }), ['KeysTable', 'JobsTable'])).toThrow(
      `${outputs} has no output KeysTable, JobsTable: deploy with --outputs-file ${outputs}.`,
    );
    expect(() => outputsOf(placeWith(platformOf('prod')), ['KeysTable', 'JobsTable'])).toThrow(
      `${outputs} has no output JobsTable: deploy with --outputs-file ${outputs}.`,
    );
  });
});

describe('the deployment whose secrets a command changes', () => {
  it('is that of --deployment, which must be a valid name', () => {
    expect(deploymentNameOf({ outputs: 'missing.json', local: false, deployment: 'prod' })).toBe('prod');
    expect(() => deploymentNameOf({ outputs: 'missing.json', local: false, deployment: 'Prod' })).toThrow(
      '--deployment must be 1 to 32 characters of a-z, 0-9 and single hyphens',
    );
  });

  it('is the default if the usual outputs file is missing, but a missing file of --outputs is an error', () => {
    expect(deploymentNameOf({ outputs: 'outputs.json', local: false })).toBe('gpu-endpoints');
    expect(() => deploymentNameOf({ outputs: join(folder, 'other.json'), local: false })).toThrow('does not exist');
  });
});
