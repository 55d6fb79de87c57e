/** Prints what the local service does while it starts and runs. */
export interface Progress {
  /** Prints a step of the start, with the seconds since the start began. */
  step(text: string): void;
  /** Prints a message, for example a warning. */
  notify(text: string): void;
}

export function createProgress(print: (line: string) => void = console.log): Progress {
  const begin = performance.now();
  return {
    step: (text) => print(`${((performance.now() - begin) / 1000).toFixed(1).padStart(6)} s  ${text}`),
    notify: (text) => print(`          ${text}`),
  };
}
