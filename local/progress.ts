/** Prints the progress of the service. */
export interface Progress {
  /** Prints the next step, with the seconds since the start. */
  step(text: string): void;
  /** Prints a message that does not stop the start. */
  notify(text: string): void;
}

export function createProgress(print: (line: string) => void = console.log): Progress {
  const begin = performance.now();
  return {
    step: (text) => print(`${((performance.now() - begin) / 1000).toFixed(1).padStart(6)} s  ${text}`),
    notify: (text) => print(`          ${text}`),
  };
}
