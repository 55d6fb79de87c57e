/**
 * Keeps one core busy until its parent process is gone.
 *
 *   node test/support/spin.ts PARENT   process id of the parent, which may have ended already
 */
const parent = Number(process.argv[2]);
const ROUND = 10_000_000;

while (process.ppid === parent) for (let n = 0; n < ROUND; n += 1);
