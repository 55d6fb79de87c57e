/**
 * Keeps one core busy until the process that has started it is gone.
 *
 *   node test/busy/spin.ts PARENT       its process id, because it may be gone before this one begins
 */
const parent = Number(process.argv[2]);
const ROUND = 10_000_000;

while (process.ppid === parent) for (let n = 0; n < ROUND; n += 1);
