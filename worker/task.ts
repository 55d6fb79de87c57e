import { environment } from '../aws/environment.ts';

/** The id of the ECS task this container is part of: it is the worker's id, and ECS never gives it out again. */
export async function taskId(): Promise<string> {
  const response = await fetch(`${environment('ECS_CONTAINER_METADATA_URI_V4')}/task`);
  if (!response.ok) throw new Error(`The task metadata endpoint answered ${response.status}.`);
  const { TaskARN: arn } = (await response.json()) as { TaskARN?: string };
  const id = arn?.split('/').at(-1);
  if (!id) throw new Error('The task metadata endpoint did not name the task.');
  return id;
}
