/** Shows where the time of a job went: a table of its steps, with a bar for each. */
import './job.css';
import '../json/json.css';
import { Fragment } from 'react';
import { seen } from '../json/display.ts';
import { Link } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { duration } from '../units.ts';
import { placeOf, type Step, spanOf } from './waterfall.ts';

interface Props {
  readonly endpoint: string;
  readonly id: string;
  readonly steps: readonly Step[];
}

const lengthOf = ({ time, isOpen }: Step) => (time === undefined ? '–' : `${duration(time)}${isOpen ? ' so far' : ''}`);

function beganAt({ kind, from }: Step, span: ReturnType<typeof spanOf>): string {
  if (kind === 'none') return '–';
  return from === span.from ? '0' : `+${duration(from - span.from)}`;
}

/** Characters of a worker's id in the table. Its link has the whole id. */
const SHORT = 8;

function Detail({ endpoint, id, step: { detail, attempt, kind } }: Omit<Props, 'steps'> & { readonly step: Step }) {
  const page = paths.job(endpoint, id);
  const parts = [
    detail !== '' && seen(detail),
    attempt && (
      <Link fontSize="inherit" to={paths.worker(endpoint, attempt.worker)}>
        Worker {attempt.worker.slice(0, SHORT)}
      </Link>
    ),
    attempt && (
      <Link
        fontSize="inherit"
        to={`${page}?tab=logs&attempt=${attempt.number}`}
        ariaLabel={`Log of attempt ${attempt.number}`}
      >
        Log
      </Link>
    ),
    (kind === 'sent' || kind === 'not-sent') && (
      <Link fontSize="inherit" to={`${page}?tab=webhook`}>
        Delivery
      </Link>
    ),
  ].filter(Boolean);
  return (
    <div className="waterfall-detail">
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index > 0 && ' · '}
          {part}
        </Fragment>
      ))}
    </div>
  );
}

function Bar({ step, span }: { readonly step: Step; readonly span: ReturnType<typeof spanOf> }) {
  const { start, width } = placeOf(step, span);
  return (
    <div className="waterfall-track" aria-hidden="true">
      {step.kind !== 'none' && (
        <div
          className={`waterfall-bar waterfall-${step.kind}${step.isOpen ? ' waterfall-open' : ''}`}
          style={{ insetInlineStart: `min(${start}%, 100% - 3px)`, inlineSize: `${width}%` }}
        />
      )}
    </div>
  );
}

export function Waterfall({ endpoint, id, steps }: Props) {
  const span = spanOf(steps);
  return (
    <div className="waterfall-frame">
      <table className="waterfall" aria-label="Where the time went">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col" className="waterfall-begin">
              Began at
            </th>
            <th scope="col">Took</th>
            <th scope="col">
              <span className="for-screen-readers">Bar</span>
              <span className="waterfall-axis" aria-hidden="true">
                <span>0</span>
                <span>{duration(span.time)}</span>
              </span>
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={`${step.name} ${step.from}`}>
              <th scope="row">
                <span className={`waterfall-key waterfall-${step.kind}`} />
                {step.name}
                <Detail endpoint={endpoint} id={id} step={step} />
              </th>
              <td className="waterfall-begin">{beganAt(step, span)}</td>
              <td>{lengthOf(step)}</td>
              <td>
                <Bar step={step} span={span} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
