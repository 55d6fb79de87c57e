import { keyOf, type ReleaseHistory } from '../releases/history.ts';
import type { Templates } from '../templates/store.ts';
import type { TaskEvent } from './event.ts';

export interface RunTimePorts {
  readonly templates: Pick<Templates, 'addRunTime'>;
  readonly history: Pick<ReleaseHistory, 'read'>;
}

/**
 * Adds the run time of a stopped worker to its template. Repeated events of one stop add it only once. The
 * template is that of the release with the worker's revision, because the endpoint might use another template now.
 */
export async function addRunTime(
  { templates, history }: RunTimePorts,
  endpoint: string,
  event: TaskEvent,
): Promise<void> {
  const { worker, revision, startedAt, stoppedAt = event.at } = event;
  if (revision === undefined || startedAt === undefined || stoppedAt <= startedAt) return;
  const { template } = (await history.read(endpoint, keyOf(revision))) ?? {};
  if (template === undefined) return;
  await templates.addRunTime({ worker, template, milliseconds: stoppedAt - startedAt });
}
