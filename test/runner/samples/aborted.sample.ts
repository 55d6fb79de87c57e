/** Starts a process of its own group, and does not end. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { it } from '@jest/globals';

it('waits for the end', async () => {
  const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000);'], { detached: true });
  writeFileSync(String(process.env.SAMPLE_LOG), String(pid));
  await new Promise(() => undefined);
});
