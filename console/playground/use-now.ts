/** The time, as often as a page shows it. */
import { useEffect, useState } from 'react';

/** Milliseconds since the epoch, new every second while it is asked for. */
export function useNow(isAsked: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isAsked) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isAsked]);
  return now;
}
