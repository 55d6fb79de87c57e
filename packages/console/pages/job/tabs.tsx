/** Tabs with the parts of a job. The address names the selected tab. */
import Box from '@cloudscape-design/components/box';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { type ReactNode, useEffect, useRef } from 'react';
import { InputView } from '../../job/input-view.tsx';
import type { Job } from '../../job/job.ts';
import { AttemptLogView, LogView } from '../../job/log-view.tsx';
import { type TabName, tabs } from '../../job/opens-on.ts';
import { OutputView } from '../../job/output-view.tsx';
import { StreamView } from '../../job/stream-view.tsx';
import type { Attempt } from '../../job/waterfall.ts';
import { WebhookView } from '../../job/webhook-view.tsx';
import { JsonView } from '../../json/json-view.tsx';
import { useParameters } from '../../shell/parameter.ts';
import './page.css';

interface LogsProps {
  readonly endpoint: string;
  readonly id: string;
  /** Undefined if the service has removed the job. */
  readonly job?: Job;
  /** Attempts whose workers are known, oldest first. */
  readonly attempts: readonly Attempt[];
}

function Logs({ endpoint, id, job, attempts }: LogsProps) {
  const [parameters, change] = useParameters();
  const wanted = parameters.get('attempt');
  const attempt = attempts.find(({ number }) => String(number) === wanted) ?? attempts.at(-1);
  const isLast = attempt === undefined || attempt.number === job?.attempts;
  return (
    <SpaceBetween size="s">
      {attempt && attempts.length > 1 && (
        <SegmentedControl
          label="Attempt"
          selectedId={String(attempt.number)}
          options={attempts.map(({ number }) => ({ id: String(number), text: `Attempt ${number}` }))}
          onChange={({ detail }) => change({ attempt: detail.selectedId }, { replace: true })}
        />
      )}
      {job && isLast && <LogView endpoint={endpoint} job={job} />}
      {attempt && !(job && isLast) && (
        <AttemptLogView key={attempt.number} endpoint={endpoint} id={id} attempt={attempt} />
      )}
      {!job && !attempt && <Box color="text-body-secondary">No worker took the job.</Box>}
    </SpaceBetween>
  );
}

interface Tab {
  readonly id: TabName;
  readonly label: string;
  readonly content: () => ReactNode;
}

interface Props extends LogsProps {
  /** Tab that is shown until the reader chooses one; undefined while it is not known. */
  readonly usual: TabName | undefined;
  /** JSON text of the record, or of the row in the history. */
  readonly record: string;
}

export function JobTabs({ usual, record, ...props }: Props) {
  const { endpoint, id, job } = props;
  const [parameters, change] = useParameters();
  const chosen = tabs.find((name) => name === parameters.get('tab'));
  const shown: readonly Tab[] = [
    ...(job
      ? ([
          { id: 'output', label: 'Output', content: () => <OutputView job={job} /> },
          { id: 'input', label: 'Input', content: () => <InputView endpoint={endpoint} id={id} /> },
          { id: 'stream', label: 'Stream', content: () => <StreamView endpoint={endpoint} job={job} /> },
        ] as const)
      : []),
    { id: 'logs', label: 'Logs', content: () => <Logs {...props} /> },
    ...(job
      ? ([{ id: 'webhook', label: 'Webhook', content: () => <WebhookView endpoint={endpoint} job={job} /> }] as const)
      : []),
    {
      id: 'raw',
      label: 'Raw record',
      content: () => <JsonView text={record} label="Raw record" fileName={`job-${id}`} />,
    },
  ];
  const selected = shown.find((tab) => tab.id === (chosen ?? usual));
  const place = useRef<HTMLDivElement>(null);
  const attempt = parameters.get('attempt');
  // A link to a log is above the log, possibly further than a screen.
  useEffect(() => {
    if (attempt !== null) place.current?.scrollIntoView({ block: 'nearest' });
  }, [attempt]);
  return (
    <div className="job-tabs" ref={place}>
      <Tabs
        variant="container"
        ariaLabel="Parts of the job"
        activeTabId={selected?.id ?? ''}
        onChange={({ detail }) => change({ tab: detail.activeTabId, attempt: undefined }, { replace: true })}
        tabs={shown.map((tab) => ({ id: tab.id, label: tab.label, content: tab === selected && tab.content() }))}
      />
    </div>
  );
}
