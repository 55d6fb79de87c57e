/** Shows who submitted a job and what it cost, and links to jobs that have something in common with it. */
import Box from '@cloudscape-design/components/box';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Fragment } from 'react';
import type { EndedJob } from '../api/management-types.ts';
import { seen } from '../json/display.ts';
import { Link } from '../shell/link.tsx';
import { type JobsFilters, jobsPath } from '../shell/paths.ts';
import { Time } from '../shell/time.tsx';
import { bytes, duration } from '../units.ts';
import { submittedAt } from './kept.ts';

interface Props {
  readonly endpoint: string;
  readonly id: string;
  readonly worker: string | undefined;
  /** The last end in the history. */
  readonly end: EndedJob | undefined;
}

const EMPTY = '–';

/** Time before the end from which jobs with something in common are listed, in milliseconds. */
const AROUND = 43_200_000;

const sizeOf = (size: number | undefined) => (size === undefined ? EMPTY : bytes(size));

function costOf({ dollars, workerTime }: Pick<EndedJob, 'dollars' | 'workerTime'>): string {
  const time = workerTime === undefined ? '' : `${duration(workerTime)} of a worker`;
  return [dollars !== undefined && `$${dollars.toPrecision(2)}`, time].filter(Boolean).join(', ') || EMPTY;
}

function Neighbours({ endpoint, worker, end }: Pick<Props, 'endpoint' | 'worker' | 'end'>) {
  const since = end && new Date(Date.parse(end.endedAt) - AROUND).toISOString();
  const links: (readonly [text: string, filters: JobsFilters])[] = [
    ...(end?.fingerprint ? [['with this error', { error: end.fingerprint }] as const] : []),
    ...(worker === undefined ? [] : [['of this worker', { worker }] as const]),
    ...(end?.revision === undefined ? [] : [[`of release ${end.revision}`, { release: end.revision }] as const]),
    ...(end?.key === undefined ? [] : [[`of key ${end.key}`, { key: end.key }] as const]),
  ];
  return (
    <div className="job-neighbours">
      Other jobs{' '}
      {links.map(([text, filters]) => (
        <Fragment key={text}>
          {/* A key can call several endpoints; the others belong to one. */}
          <Link fontSize="inherit" to={jobsPath({ ...(!filters.key && { endpoint }), since, ...filters })}>
            {text}
          </Link>
          {' · '}
        </Fragment>
      ))}
      <Link fontSize="inherit" to={jobsPath({ endpoint, since })}>
        of {endpoint}
      </Link>
    </div>
  );
}

export function Facts({ endpoint, id, worker, end }: Props) {
  const submitted = submittedAt(id);
  return (
    <SpaceBetween size="s">
      <KeyValuePairs
        columns={4}
        items={[
          { label: 'Submitted', value: submitted === undefined ? EMPTY : <Time at={submitted} /> },
          {
            label: 'Submitted by',
            value: end ? `${seen(end.owner)}${end.key === undefined ? '' : `, key ${end.key}`}` : EMPTY,
          },
          { label: 'Input, output', value: end ? `${sizeOf(end.inputBytes)}, ${sizeOf(end.outputBytes)}` : EMPTY },
          { label: 'Cost', value: end ? costOf(end) : EMPTY },
        ]}
      />
      <Box fontSize="body-s" color="text-body-secondary">
        <Neighbours endpoint={endpoint} worker={worker} end={end} />
      </Box>
    </SpaceBetween>
  );
}
