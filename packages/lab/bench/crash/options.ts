import { numberFrom, readFlags } from '../command.ts';

export const HELP = `Usage: npm run bench -w packages/lab -- crash [options]

Starts the service as \`npm start\` does, kills the container of a worker with a job, and measures how long the job
waits for the worker that replaces it: until the job waits again, until the task of the new worker is created, and
until the new worker takes the job. Nothing is downloaded, so the figures are what a deployment in AWS takes in
addition to the starts of ECS, the image and the model. Fails if the longest replacement exceeds the bound.

  --runs N   number of crashes, one after the other (default: 5)
  --help     print this help

Each worker runs for 12 s before its container is killed: a service of ECS pauses between tasks that fail early.
`;

export interface Options {
  readonly help: boolean;
  readonly runs: number;
}

const flags = { runs: { type: 'string', default: '5' }, help: { type: 'boolean', default: false } } as const;

/** @throws Error for an unknown flag, or a number out of its range */
export function readOptions(args: readonly string[]): Options {
  const { help, runs } = readFlags('bench -w packages/lab -- crash', flags, args);
  return { help, runs: numberFrom('runs', runs, 100) };
}
