/** Reads the ECS metadata of the agent's own task. */
import { environment } from '../../aws/environment.ts';
import { SECOND } from '../../core/limits.ts';
import { WORKER } from '../../core/releases/task-definition.ts';
import { type TaskMetadata, taskMetadataFrom } from '../../core/workers/ecs-answers.ts';

/** Time limit of a call. The endpoint is local to the task, and answers quickly or not at all. */
const REQUEST = 5 * SECOND;

async function readMetadata(): Promise<TaskMetadata> {
  const url = `${environment('ECS_CONTAINER_METADATA_URI_V4')}/task`;
  const response = await fetch(url, { signal: AbortSignal.timeout(REQUEST) });
  if (!response.ok) throw new Error(`The task metadata endpoint answered ${response.status}.`);
  return taskMetadataFrom(await response.text());
}

/**
 * Returns the id of this container's ECS task and the number of the revision that it runs. The id of the task is
 * the id of the worker; ECS never reuses it.
 */
export async function ownTask(): Promise<{ readonly worker: string; readonly revision: number | undefined }> {
  const { TaskARN: arn, Revision: revision } = await readMetadata();
  const worker = arn?.split('/').at(-1);
  if (!worker) throw new Error('The task metadata endpoint did not return the task.');
  return { worker, revision: revision === undefined ? undefined : Number(revision) };
}

/** Returns whether ECS wants the task to stop. */
export const isToStop = async (): Promise<boolean> => (await readMetadata()).DesiredStatus === 'STOPPED';

/** Returns whether the user's container has exited. */
export async function hasContainerExited(): Promise<boolean> {
  const { Containers = [] } = await readMetadata();
  return Containers.some(({ Name, KnownStatus }) => Name === WORKER && KnownStatus === 'STOPPED');
}
