/** Shows the jobs of the last day by hour: a bar for each hour, whose lower part failed. */
import type { Recent } from '../../api/management-types.ts';
import { count } from '../../units.ts';
import { hoursOf } from './recent.ts';

const BAR = 4;
const GAP = 1;
const HEIGHT = 20;

/** Smallest height of a bar, so that one job of many is seen. */
const MIN_HEIGHT = 2;

const heightOf = (part: number, max: number) =>
  part === 0 ? 0 : Math.max(MIN_HEIGHT, Math.round((part / max) * HEIGHT));

export function Sparkline({ recent }: { readonly recent: Recent }) {
  const hours = hoursOf(recent, Date.now());
  const max = Math.max(1, ...hours.map(({ ended }) => ended));
  const sum = (of: 'ended' | 'failed') => hours.reduce((total, hour) => total + hour[of], 0);
  const width = hours.length * (BAR + GAP);
  return (
    <svg
      className="sparkline"
      role="img"
      aria-label={`Last 24 hours: ${count(sum('ended'))} jobs ended, ${count(sum('failed'))} failed`}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
    >
      <path className="base" d={`M0 ${HEIGHT - 0.5}H${width}`} />
      {hours.map(({ from, ended, failed }, index) => {
        const x = index * (BAR + GAP);
        const all = heightOf(ended, max);
        const bad = Math.min(all, heightOf(failed, max));
        return (
          all > 0 && (
            <g key={from}>
              <rect x={x} y={HEIGHT - all} width={BAR} height={all - bad} />
              {bad > 0 && <rect className="failed" x={x} y={HEIGHT - bad} width={BAR} height={bad} />}
            </g>
          )
        );
      })}
    </svg>
  );
}
