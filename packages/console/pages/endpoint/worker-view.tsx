/** Shows one worker: its start, its log and its jobs, also after it has stopped. */
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { EndedWorker, Worker } from '../../api/management-types.ts';
import { dollars } from '../../endpoint/cost.ts';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import { count, HOUR } from '../../units.ts';
import { EndedJobs } from './ended-jobs.tsx';
import type { Period } from './period.ts';
import { Stages } from './stages.tsx';
import { WhyStopped } from './stopped-workers.tsx';
import { at } from './worker-cells.tsx';
import { WorkerLog } from './worker-log.tsx';
import { State } from './worker-state.tsx';

interface Props {
  readonly endpoint: string;
  readonly id: string;
  /** Undefined unless the worker lives. */
  readonly living: Worker | undefined;
  /** Undefined unless the worker has stopped in the time of the page. */
  readonly stopped: EndedWorker | undefined;
  readonly period: Period;
}

function factsOf({ living, stopped }: Props): KeyValuePairsProps.Item[] {
  const worker = living ?? stopped;
  return [
    { label: 'State', value: living ? <State worker={living} /> : stopped ? 'Stopped' : 'Unknown in this time' },
    ...(stopped ? [{ label: 'Why it stopped', value: <WhyStopped worker={stopped} /> }] : []),
    ...(stopped ? [{ label: 'Instance', value: stopped.type ?? stopped.capacity ?? '-' }] : []),
    { label: 'Created', value: at(stopped?.createdAt ?? worker?.timeline?.[0]?.startedAt) },
    { label: 'Ready since', value: at(worker?.readySince) },
    ...(stopped ? [{ label: 'Stopped', value: at(stopped.endedAt) }] : []),
    { label: 'Revision', value: worker?.revision ?? '-' },
    { label: 'Jobs done, failed', value: worker ? `${count(worker.completed)}, ${count(worker.failed)}` : '-' },
    ...(stopped ? [{ label: 'Cost', value: stopped.dollars === undefined ? '-' : dollars(stopped.dollars) }] : []),
  ];
}

export function WorkerView(props: Props) {
  const { endpoint, id, living, stopped, period } = props;
  const [openedAt] = useState(() => Date.now());
  const timeline = (living ?? stopped)?.timeline;
  const created = stopped?.createdAt ?? timeline?.[0]?.startedAt ?? living?.readySince ?? living?.seenAt;
  const since = created ?? period.since ?? new Date(openedAt - HOUR).toISOString();
  return (
    <SpaceBetween size="l">
      <Container
        header={
          <Header
            variant="h2"
            description={<Link to={`${paths.endpoint(endpoint)}?tab=workers`}>All workers of {endpoint}</Link>}
          >
            Worker <span className="id">{id}</span>
          </Header>
        }
      >
        <SpaceBetween size="m">
          <KeyValuePairs columns={4} minColumnWidth={160} items={factsOf(props)} />
          {timeline ? (
            <Stages stages={timeline} />
          ) : (
            <Box color="text-body-secondary">The stages of its start are unknown.</Box>
          )}
        </SpaceBetween>
      </Container>
      <Container header={<Header variant="h2">Log since its start</Header>}>
        <WorkerLog endpoint={endpoint} worker={id} source="worker" since={since} follows={living !== undefined} />
      </Container>
      <EndedJobs
        endpoint={endpoint}
        worker={id}
        period={{ range: period.range, since, until: undefined }}
        title="Jobs of this worker"
      />
    </SpaceBetween>
  );
}
