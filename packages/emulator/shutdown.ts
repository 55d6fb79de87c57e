/** Stops components in the reverse order of their start. */
export interface Shutdown {
  /** Adds a function that stops a component. Calls it immediately if the shutdown has begun. */
  add(stop: () => unknown): void;
  /** Stops all components, even if a stop fails. */
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
