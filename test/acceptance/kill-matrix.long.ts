/** Runs the whole kill matrix: every process of a worker, in every phase of a job, with every signal. */
import { cells } from './kill/cells.ts';
import { describeKills } from './kill/matrix.ts';

describeKills({ cells, places: 8 });
