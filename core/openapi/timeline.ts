/** The stages of a job's wait (`core/fleet/stages.ts`), in records of jobs and of workers. */
import { type StageName, stageNames } from '../fleet/stages.ts';
import { count, exactObject, type Schema, text } from './schema.ts';

/** What each stage comprises, as a clause. */
const stages: Readonly<Record<StageName, string>> = {
  QUEUED: 'until the worker is requested',
  INSTANCE: 'until EC2 has launched an instance for the worker',
  BOOT: 'until the instance is registered, or Fargate begins to pull the images',
  IMAGE: 'until the images are pulled',
  WORKER: 'until the container asks for jobs',
  TAKE: 'until the job starts',
};

/** The schema `Stage`. */
export const stageSchema: Schema = exactObject({
  stage: text(`${stageNames.map((name) => `${name}: ${stages[name]}`).join('. ')}.`, { enum: stageNames }),
  startedAt: text('Start of the stage.', { format: 'date-time' }),
  duration: count('Duration, in milliseconds.'),
});
