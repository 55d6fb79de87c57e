/** A few cells of the kill matrix: each signal, each target and each phase once. `kill-matrix.long.ts` has all. */
import { cells, nameOf } from './kill/cells.ts';
import { describeKills } from './kill/matrix.ts';

const FEW = new Set([
  'SIGSTOP to the agent, running',
  'SIGKILL to the supervisor, running',
  'SIGKILL to the task, running',
  'SIGKILL to the agent, taking',
  'SIGTERM to the task, finishing',
  'SIGKILL to the task, recorded',
  'SIGTERM to the runner, taking',
  'SIGTERM to the supervisor, idle',
]);

describeKills({ cells: cells.filter((cell) => FEW.has(nameOf(cell))), places: 3, poison: false });
