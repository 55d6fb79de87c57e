/** Starts a process in its own group, and never finishes. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { it } from '@jest/globals';

it('waits until it is killed', async () => {
  const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000);'], { detached: true });
  writeFileSync(String(process.env.SAMPLE_LOG), String(pid));
  await new Promise(() => undefined);
});
