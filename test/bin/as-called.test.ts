import { describe, expect, it } from '@jest/globals';
import { asCalled } from '../../bin/as-called.ts';
import { helpOfBinary, scripts } from '../../bin/pages/command-help.ts';

const asTeam = (text: string) => asCalled(text, true);

describe('a text that names commands', () => {
  it('names the scripts of this repository', () => {
    expect(asCalled('run npm run stacks -- --json')).toBe('run npm run stacks -- --json');
  });

  it('names the commands of the binary where the package is installed', () => {
    expect(asTeam('Usage: npm run remove -- pool ID')).toBe('Usage: npx gpu-endpoints remove pool ID');
    expect(asTeam('npm run doctor\n  npm run doctor -- --json')).toBe(
      'npx gpu-endpoints doctor\n  npx gpu-endpoints doctor --json',
    );
    expect(asTeam('the emulators of `npm start`; npm start -- --help')).toBe(
      'the emulators of `npx gpu-endpoints dev`; npx gpu-endpoints dev --help',
    );
  });

  it('names a deployment of a stack without the id of the construct where the package is installed', () => {
    expect(asTeam('npx cdk deploy Gpu/Fleet -c deployment=test')).toBe(
      'npx gpu-endpoints deploy Fleet -c deployment=test',
    );
    for (const text of ['npx cdk deploy --all', 'npx cdk bootstrap']) expect(asTeam(text)).toBe(text);
  });

  it('names scripts that the package does not have as they are', () => {
    for (const text of ['npm run bench -w packages/lab -- calls', 'npm run cost-of']) expect(asTeam(text)).toBe(text);
  });

  it('names every script that the binary has as its command', async () => {
    const named = [...(await helpOfBinary()).matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
    const both = named.filter((name) => name in scripts());
    expect(both.length).toBeGreaterThan(5);
    for (const name of both) expect(asTeam(`npm run ${name} -- --help`)).toBe(`npx gpu-endpoints ${name} --help`);
  });
});
