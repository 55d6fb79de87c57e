/**
 * A stopwatch for tests that hold the product to a time. It stands still while the machine lets this process do nothing:
 * a machine that is stopped or busy stops or slows the product, too, and says nothing about it.
 */
export interface Stopwatch {
  milliseconds(): number;
  stop(): void;
}

const TICK = 20;
/** How late a tick may be on a machine that has time for it. */
const LATE = 20;

export function startStopwatch(): Stopwatch {
  let counted = 0;
  let last = performance.now();
  const count = () => {
    const now = performance.now();
    counted += Math.min(now - last, TICK + LATE);
    last = now;
  };
  const timer = setInterval(count, TICK);
  return {
    milliseconds() {
      count();
      return counted;
    },
    stop: () => clearInterval(timer),
  };
}
