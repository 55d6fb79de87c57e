/** Shows what the history keeps of a job whose result is no longer stored. */
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { EndedJob } from '../../api/management-types.ts';
import { endHelp } from '../../job/ends.ts';
import { Facts } from '../../job/facts.tsx';
import { JobStatus } from '../../job/status.tsx';
import { waterfall } from '../../job/waterfall.ts';
import { Waterfall } from '../../job/waterfall-view.tsx';
import { WorkerErrorView } from '../../job/worker-error-view.tsx';
import { Time } from '../../shell/time.tsx';
import { JobTabs } from './tabs.tsx';

interface Props {
  readonly endpoint: string;
  readonly id: string;
  /** Oldest first. */
  readonly ends: readonly EndedJob[];
  readonly end: EndedJob;
}

export function ExpiredJob({ endpoint, id, ends, end }: Props) {
  const { status, code = status, error, endedAt, worker } = end;
  const steps = waterfall(undefined, ends);
  const attempts = steps.flatMap(({ attempt }) => attempt ?? []);
  return (
    <SpaceBetween size="l">
      <div className="job-state">
        <Alert
          type={status === 'FAILED' || status === 'TIMED_OUT' ? 'error' : 'info'}
          header={
            <>
              <JobStatus status={status} code={code} /> at <Time at={endedAt} />
            </>
          }
        >
          <SpaceBetween size="xxs">
            {error !== undefined && <WorkerErrorView error={error} />}
            {endHelp[code] && <div>{endHelp[code]}</div>}
            <Box variant="small" color="text-body-secondary">
              The result of this job has expired: results are kept for 30 minutes after /run and for a minute after
              /runsync and OpenAI calls, and inputs as long. The history keeps the rest, with the first line of an
              error, for 30 days or for the deployment’s <code>historyDays</code>.
            </Box>
          </SpaceBetween>
        </Alert>
      </div>
      <Container>
        <SpaceBetween size="m">
          <Facts endpoint={endpoint} id={id} worker={worker} end={end} />
          <Waterfall endpoint={endpoint} id={id} steps={steps} />
        </SpaceBetween>
      </Container>
      <JobTabs endpoint={endpoint} id={id} attempts={attempts} usual="logs" record={JSON.stringify(end)} />
    </SpaceBetween>
  );
}
