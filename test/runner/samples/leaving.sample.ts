/** Fails before it stops the process that it has started. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

it('leaves a process and a timer', () => {
  setInterval(() => undefined, 1_000);
  const script = 'setInterval(() => undefined, 1_000);';
  const { pid } = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  writeFileSync(String(process.env.SAMPLE_LOG), String(pid));
  expect(pid).toBeUndefined();
});
