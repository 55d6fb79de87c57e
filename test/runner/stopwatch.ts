/**
 * A stopwatch for tests that limit the time of the product. It pauses while the machine does not run this process,
 * because a suspended or busy machine also delays the product.
 */
export interface Stopwatch {
  milliseconds(): number;
  stop(): void;
}

const TICK = 20;
/** The longest delay of a tick on an idle machine. */
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
