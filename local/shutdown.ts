/** What has been started, to be stopped in the opposite order. */
export interface Shutdown {
  /** Notes how to stop what was just started; if the shutdown has begun, it is stopped at once. */
  add(stop: () => unknown): void;
  /** Stops everything, whatever fails on the way. */
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
