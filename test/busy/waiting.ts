/**
 * A command for the tests of this folder: it waits for SIGTERM, and so does another one like it that it has started in a
 * process group of its own.
 *
 *   node test/busy/waiting.ts PIDS [alone]       notes process ids in the file PIDS
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
