/** Tests that the rehearsal runs the commands of the CDK that `docs/tutorials/first-gpu-model.md` has. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { typed } from '../../../test/docs/tutorials/first-gpu-model.ts';
import { Commands } from './commands.ts';

/** Runs the commands of `npm run rehearse -w packages/lab` with a program that records the arguments of the CDK. */
async function rehearsed(): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'first-gpu-model-'));
  const [cdk, log] = [join(folder, 'node_modules/aws-cdk/bin/cdk'), join(folder, 'log')];
  mkdirSync(dirname(cdk), { recursive: true });
  writeFileSync(log, '');
  const line = 'JSON.stringify(process.argv.slice(2)) + "\\n"';
  writeFileSync(cdk, `require('node:fs').appendFileSync(${JSON.stringify(log)}, ${line});`);
  const emulator = { url: 'http://127.0.0.1:9', log, stop: async () => undefined };
  const commands = new Commands(folder, folder, emulator, new AbortController().signal);
  await commands.bootstrap();
  await commands.deploy('assembly');
  const calls = readFileSync(log, 'utf8').trim().split('\n');
  return calls.map((call) => (JSON.parse(call) as string[]).map((word) => basename(word)));
}

describe('the commands of the CDK', () => {
  let calls: string[][];
  beforeAll(async () => {
    calls = await rehearsed();
  });

  it.each(typed.filter((line) => line.startsWith('npx cdk ')))(
    'are those of npm run rehearse -w packages/lab, which adds only options: %s',
    (line) => {
      const [, , verb, ...args] = line.split(' ').map((word) => word.replaceAll("'", ''));
      const call = calls.find(([first]) => first === verb) ?? [];
      expect(call).toEqual(expect.arrayContaining([verb, ...args]));
    },
  );
});
