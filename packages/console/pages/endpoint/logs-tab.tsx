/** Follows what the workers of an endpoint print, also those that crashed before their first job. */
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EndedWorker, EndedWorkerList } from '../../api/management-types.ts';
import { every } from '../../api/polling.ts';
import { workersOf } from '../../endpoint/use-endpoints.ts';
import { useClient } from '../../session/session.tsx';
import { useChoice, useParameters } from '../../shell/parameter.ts';
import { type Times, useTimes } from '../../times.ts';
import { HOUR } from '../../units.ts';
import type { Period } from './period.ts';
import { stoppedWorkers } from './stopped-workers.tsx';
import { usePages } from './use-pages.ts';
import { WorkerLog } from './worker-log.tsx';

/** The log itself is read often, and the choice of workers seldom. */
const INTERVAL = 120_000;
const ALL = 'all';

const optionOf = ({ id, createdAt, endedAt, readySince }: EndedWorker, { dateAndTime }: Times) => ({
  value: id,
  label: id,
  labelTag: readySince === undefined ? 'Crashed before a job' : 'Stopped',
  description: `${createdAt === undefined ? '' : `Created ${dateAndTime(createdAt)}, `}stopped ${dateAndTime(endedAt)}`,
});

interface Props {
  readonly endpoint: string;
  readonly period: Period;
}

export default function LogsTab({ endpoint, period }: Props) {
  const times = useTimes();
  const client = useClient();
  const [parameters, change] = useParameters();
  const [source, setSource] = useChoice('source', 'worker', ['worker', 'agent']);
  const [openedAt] = useState(() => Date.now());
  const living = useQuery({ ...workersOf(client, endpoint), refetchInterval: every(INTERVAL) });
  const { pages } = usePages<EndedWorkerList>({ ...stoppedWorkers(endpoint, period), interval: INTERVAL });
  const stopped = pages?.flatMap(({ workers }) => workers) ?? [];
  const worker = parameters.get('worker') ?? undefined;
  const gone = stopped.find(({ id }) => id === worker);
  const begun = living.data?.workers.find(({ id }) => id === worker)?.timeline?.[0]?.startedAt;
  const since = period.since ?? gone?.createdAt ?? begun ?? new Date(openedAt - HOUR).toISOString();
  const until = period.until === undefined ? undefined : Date.parse(period.until);
  const options = [
    { value: ALL, label: 'All workers' },
    ...(living.data?.workers ?? []).map(({ id, state }) => ({ value: id, label: id, labelTag: state.toLowerCase() })),
    ...stopped.map((one) => optionOf(one, times)),
  ];
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="Also of workers that stopped before their first job. The log of one job is on its page."
        >
          Logs of workers
        </Header>
      }
    >
      <SpaceBetween size="m">
        <FormField
          label="Worker"
          secondaryControl={
            <SegmentedControl
              label="Container"
              selectedId={source}
              options={[
                { id: 'worker', text: 'Worker' },
                { id: 'agent', text: 'Agent' },
              ]}
              onChange={({ detail }) => setSource(detail.selectedId)}
            />
          }
        >
          <Select
            selectedOption={
              options.find(({ value }) => value === (worker ?? ALL)) ?? {
                value: worker ?? ALL,
                label: worker ?? 'All workers',
              }
            }
            options={options}
            triggerVariant="option"
            filteringType="auto"
            filteringPlaceholder="Id or state"
            filteringAriaLabel="Find a worker"
            onChange={({ detail: { selectedOption } }) =>
              change({ worker: selectedOption.value === ALL ? undefined : selectedOption.value })
            }
          />
        </FormField>
        <WorkerLog
          key={`${worker} ${source} ${since} ${until}`}
          endpoint={endpoint}
          worker={worker}
          source={source}
          since={since}
          until={until}
          follows={gone === undefined && until === undefined}
        />
      </SpaceBetween>
    </Container>
  );
}
