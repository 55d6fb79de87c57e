/** Tabs with the parts of a job. The address names the selected tab. */
import Tabs from '@cloudscape-design/components/tabs';
import { InputView } from '../../job/input-view.tsx';
import type { Job } from '../../job/job.ts';
import { LogView } from '../../job/log-view.tsx';
import { OutputView } from '../../job/output-view.tsx';
import { StreamView } from '../../job/stream-view.tsx';
import { WebhookView } from '../../job/webhook-view.tsx';
import { JsonView } from '../../json/json-view.tsx';
import { useChoice } from '../../shell/parameter.ts';
import './page.css';

interface Props {
  readonly endpoint: string;
  readonly job: Job;
}

const tabs = ['output', 'input', 'stream', 'logs', 'webhook', 'raw'] as const;

export function JobTabs({ endpoint, job }: Props) {
  const [tab, choose] = useChoice('tab', 'output', tabs);
  const { id } = job;
  return (
    <div className="job-tabs">
      <Tabs
        variant="container"
        ariaLabel="Parts of the job"
        activeTabId={tab}
        onChange={({ detail }) => choose(detail.activeTabId)}
        tabs={[
          { id: 'output', label: 'Output', content: tab === 'output' && <OutputView job={job} /> },
          { id: 'input', label: 'Input', content: tab === 'input' && <InputView endpoint={endpoint} id={id} /> },
          { id: 'stream', label: 'Stream', content: tab === 'stream' && <StreamView endpoint={endpoint} job={job} /> },
          { id: 'logs', label: 'Logs', content: tab === 'logs' && <LogView endpoint={endpoint} job={job} /> },
          {
            id: 'webhook',
            label: 'Webhook',
            content: tab === 'webhook' && <WebhookView endpoint={endpoint} job={job} />,
          },
          {
            id: 'raw',
            label: 'Raw record',
            content: tab === 'raw' && <JsonView text={job.text} label="Raw record" fileName={`job-${id}`} />,
          },
        ]}
      />
    </div>
  );
}
