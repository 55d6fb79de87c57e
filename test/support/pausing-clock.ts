import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../core/clock.ts';

/** A clock whose time passes only while all work of a test waits. Its times do not depend on the machine. */
export class PausingClock implements Clock {
  readonly #pauses: { readonly until: number; readonly end: () => void }[] = [];
  #now: number;

  /** @param now milliseconds since the epoch */
  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  pause(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pauses.push({ until: this.#now + milliseconds, end: resolve });
    return promise;
  }

  /** Number of pauses that have not ended. */
  get pauses(): number {
    return this.#pauses.length;
  }

  /**
   * Lets time pass until the work has ended.
   * @param isWaiting whether only pauses keep the work from its next step; by default, always, for work that waits for
   * pauses alone
   */
  async run<Result>(work: Promise<Result>, isWaiting = () => true): Promise<Result> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    while (!isOver) {
      await turn();
      if (isWaiting() && this.pauses > 0) this.#step();
    }
    return work;
  }

  /** Moves the time to the end of the next pause, and ends all pauses that are due. */
  #step(): void {
    const until = Math.min(...this.#pauses.map((pause) => pause.until));
    this.#now = Math.max(this.#now, until);
    const due = this.#pauses.filter((pause) => pause.until <= this.#now);
    for (const pause of due) {
      this.#pauses.splice(this.#pauses.indexOf(pause), 1);
      pause.end();
    }
  }
}
