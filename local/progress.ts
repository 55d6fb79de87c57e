/** Tells whoever started the service what it is doing. */
export interface Progress {
  /** The next step, with the seconds since the start. */
  step(text: string): void;
  /** Something worth knowing that stops nothing. */
  note(text: string): void;
}

export function createProgress(print: (line: string) => void = console.log): Progress {
  const begin = performance.now();
  return {
    step: (text) => print(`${((performance.now() - begin) / 1000).toFixed(1).padStart(6)} s  ${text}`),
    note: (text) => print(`          ${text}`),
  };
}
