/** Tests that the definition of the commands loads only what the help needs. */
import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

/** Prints the packages that are loaded with the definition of the commands. */
const PROGRAM = `
import { registerHooks } from 'node:module';
const packages = new Set();
registerHooks({
  load(url, context, nextLoad) {
    const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
    if (name) packages.add(name);
    return nextLoad(url, context);
  },
});
const { createProgram } = await import('./bin/program.ts');
createProgram();
console.log(JSON.stringify([...packages].sort()));
`;

it('loads neither the SDK of AWS nor the CDK for the help', () => {
  const args = ['--input-type=module', '--eval', PROGRAM];
  expect(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))).toEqual(['commander', 'leven', 'zod']);
});
