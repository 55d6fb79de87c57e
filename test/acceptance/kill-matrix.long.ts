/** Runs the whole kill matrix: every process of a worker, in every phase of a job, with every signal. */
import { cells } from './kill/cells.ts';
import { describeKills } from './kill/matrix.ts';

// More endpoints would start more workers at once than two cores can, beside other test files.
describeKills({ cells, places: 4, pairsAtOnce: 4 });
