/**
 * A command for the tests of this folder. It starts a second process like itself in another process group. Both
 * wait for SIGTERM.
 *
 *   node packages/lab/disturbed-runs/waiting.ts PIDS [alone]       appends process ids to the file PIDS
 */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [pids = '', alone] = process.argv.slice(2);
setInterval(() => undefined, 1_000);
process.once('SIGTERM', () => process.exit(0));
if (!alone) {
  const args = [fileURLToPath(import.meta.url), pids, 'alone'];
  spawn(process.execPath, args, { detached: true, stdio: 'ignore' }).unref();
}
appendFileSync(pids, `${process.pid}\n`);
