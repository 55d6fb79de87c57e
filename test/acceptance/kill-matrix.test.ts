/**
 * Runs a few cells of the kill matrix: each signal, each target and each phase at least once.
 * `kill-matrix.long.ts` runs all cells.
 */
import { cells, nameOf } from './kill/cells.ts';
import { describeKills } from './kill/matrix.ts';

const FEW = new Set([
  'SIGSTOP to the agent in phase running',
  'SIGKILL to the supervisor in phase running',
  'SIGTERM to the task in phase finishing',
  'SIGKILL to the task in phase recorded',
  'SIGTERM to the runner in phase taking',
  'SIGTERM to the supervisor in phase idle',
]);

describeKills({ cells: cells.filter((cell) => FEW.has(nameOf(cell))), places: 2, poison: false });
