/** Shows the jobs of the last day by hour: a bar for each hour, whose lower part failed. Links to the failures. */
import type { Recent } from '../../api/management-types.ts';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import { count } from '../../units.ts';
import { hoursOf, lastDay } from './recent.ts';

const BAR = 4;
const GAP = 1;
const HEIGHT = 20;

/** Smallest height of a bar, so that one job of many is seen. */
const MIN_HEIGHT = 2;

const heightOf = (part: number, max: number) =>
  part === 0 ? 0 : Math.max(MIN_HEIGHT, Math.round((part / max) * HEIGHT));

interface Props {
  readonly endpoint: string;
  readonly recent: Recent;
}

export function Sparkline({ endpoint, recent }: Props) {
  const now = Date.now();
  const hours = hoursOf(recent, now);
  const day = lastDay(recent, now);
  const max = Math.max(1, ...hours.map(({ ended }) => ended));
  const width = hours.length * (BAR + GAP);
  return (
    <Link
      to={paths.failures(endpoint)}
      ariaLabel={`Failures of ${endpoint}: ${count(day.failed)} of ${count(day.ended)} jobs within 24 hours`}
    >
      <svg className="sparkline" aria-hidden="true" width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`}>
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
    </Link>
  );
}
