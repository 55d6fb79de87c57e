/** Stops what was started, in the opposite order. */
export interface Shutdown {
  /** Adds how to stop what was just started; calls it at once if the shutdown has begun. */
  add(stop: () => unknown): void;
  /** Stops everything, also if a stop fails. */
  run(): Promise<void>;
}

export function createShutdown(report: (error: unknown) => void): Shutdown {
  const stops: (() => unknown)[] = [];
  let begun = false;
  const perform = async (stop: () => unknown) => {
    try {
      await stop();
    } catch (error) {
      report(error);
    }
  };
  return {
    add(stop) {
      if (begun) void perform(stop);
      else stops.push(stop);
    },
    async run() {
      begun = true;
      for (let stop = stops.pop(); stop; stop = stops.pop()) await perform(stop);
    },
  };
}
