/** Records which tasks of a service are protected from scale-in, and until when. */
import type { Clock } from './clock.ts';
import { rules } from './rules.ts';
import type { Task } from './task.ts';

/** The reasons for which ECS refuses protection. */
export type ProtectionFailure =
  | typeof rules.protectionBlocked.value
  | typeof rules.protectionOfStopping.value
  | typeof rules.unknown.value;

export interface Protections {
  /**
   * Returns when the task's protection expires, in milliseconds since 1970; undefined if the task is not protected.
   */
  until(task: Task): number | undefined;
  /**
   * Protects the task.
   * @param minutes length of the protection from now
   * @returns the reason for a refusal; undefined if the task is protected
   */
  protect(task: Task, minutes: number): ProtectionFailure | undefined;
  end(task: Task): void;
  endAll(): void;
}

export interface ProtectionsOptions {
  readonly clock: Clock;
  /** Maximum number of protected tasks. */
  max(): number;
  /** Called when a task's protection expires. */
  expired(): void;
}

interface Period {
  readonly until: number;
  readonly over: AbortController;
}

export function createProtections({ clock, max, expired }: ProtectionsOptions): Protections {
  const periods = new Map<Task, Period>();

  function until(task: Task): number | undefined {
    const period = periods.get(task);
    return period && period.until > clock.now() ? period.until : undefined;
  }

  function end(task: Task): void {
    periods.get(task)?.over.abort();
    periods.delete(task);
  }

  async function expire(task: Task, { until, over }: Period): Promise<void> {
    await clock.sleep(until - clock.now(), over.signal);
    if (over.signal.aborted) return;
    end(task);
    expired();
  }

  return {
    until,
    end,
    protect(task, minutes) {
      const isStopping = ({ state }: Task) => state().desiredStatus === 'STOPPED';
      if (isStopping(task)) return rules.protectionOfStopping.value;
      const others = [...periods.keys()].filter((other) => other !== task && until(other) && !isStopping(other));
      if (others.length + 1 > max()) return rules.protectionBlocked.value;
      end(task);
      const period = { until: clock.now() + minutes * 60_000, over: new AbortController() };
      periods.set(task, period);
      void expire(task, period);
      return undefined;
    },
    endAll() {
      for (const task of periods.keys()) end(task);
    },
  };
}
