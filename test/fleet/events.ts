/** Events of ECS tasks for tests. */
import type { TaskEvent } from '../../core/fleet/event.ts';

/** Returns an event of a task that ran and was stopped by a user, with the differences applied. */
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
