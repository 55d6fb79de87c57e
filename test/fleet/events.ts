/** Events of tasks, as the product reads them. */
import type { TaskEvent } from '../../core/fleet/event.ts';

/** A task that ran and has stopped because its user wanted it to, unless the differences say otherwise. */
export const taskEvent = (differences: Partial<TaskEvent> & Pick<TaskEvent, 'at'>): TaskEvent => ({
  of: 'task',
  service: 'echo',
  worker: 'task-1',
  lastStatus: 'STOPPED',
  desiredStatus: 'STOPPED',
  stopCode: 'UserInitiated',
  stoppedReason: 'Task stopped by user',
  containers: [],
  startedAt: differences.at - 1_000,
  ...differences,
});
