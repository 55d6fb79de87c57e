/** The texts with which a start describes the ECS services of the stacks. */

export interface ServiceTexts {
  /** Title of the list of services. */
  readonly title: string;
  /** Returns the name by which users know the service of a stack; undefined if it is not listed. */
  nameOf(stackId: string): string | undefined;
  /**
   * Describes a listed service.
   * @param missing names of the secrets without which no task can start
   */
  stateOf(name: string, tasks: number, missing: readonly string[]): string;
  /** Describes the tasks that a service starts, if it starts any. */
  startOf(service: StartingService): string;
}

export interface StartingService {
  readonly stackId: string;
  readonly tasks: number;
  /** Name of the main container. */
  readonly container: string;
}

const tasksText = (count: number) => (count === 1 ? '1 task' : `${count} tasks`);

/** Lists all services by the ids of their stacks. */
export const plainTexts: ServiceTexts = {
  title: 'Services',
  nameOf: (stackId) => stackId,
  stateOf: (name, tasks, missing) =>
    missing.length > 0
      ? `${name}, not ready: no task can start without the secret ${missing.join(' and ')}`
      : `${name}, ${tasksText(tasks)}`,
  startOf: ({ stackId, tasks }) => `Starting ${tasksText(tasks)} of ${stackId} ...`,
};
