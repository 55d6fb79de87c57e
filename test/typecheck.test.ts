/** Tests that `npm run typecheck` includes every TypeScript file, so no folder is without types by oversight. */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

/** Clients that import packages of their own, which only their tests install. */
const EXCEPT = /^test\/acceptance\/generated-clients\//;

/** Returns the projects of the script, such as `.` and `console`. */
function projects(): string[] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { typecheck: string } };
  return scripts.typecheck.split(' && ').map((command) => {
    const match = /^tsc(?: -p (\S+))?$/.exec(command);
    if (match === null) throw new Error(`"${command}" is not "tsc" or "tsc -p FOLDER"`);
    return match[1] ?? '.';
  });
}

/** Returns the files that the `include` of a project selects, not those that they import. */
async function selectedBy(project: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('node_modules/.bin/tsc', ['-p', project, '--showConfig']);
  const { files } = JSON.parse(stdout) as { files: string[] };
  return files.map((file) => join(project, file));
}

it('selects every tracked TypeScript file by a project of `npm run typecheck`', async () => {
  const tracked = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mts', '*.cts'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && !EXCEPT.test(path));
  expect(tracked).toContain('core/limits.ts');
  const selected = new Set((await Promise.all(projects().map(selectedBy))).flat());
  expect(tracked.filter((path) => !selected.has(path))).toEqual([]);
});
