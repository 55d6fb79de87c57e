/** Shows the log of one of an endpoint's jobs, initially of a running job. */
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { JobSummary } from '../../api/job-types.ts';
import { intervals } from '../../api/polling.ts';
import { LogView } from '../../job/log-view.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Link } from '../../shell/link.tsx';
import { useParameters } from '../../shell/parameter.ts';
import { paths } from '../../shell/paths.ts';
import { type Times, useTimes } from '../../times.ts';
import { statuses } from './job-actions.ts';
import { statusName } from './job-status.tsx';
import { JobsFreshness } from './jobs-freshness.tsx';
import { useJobs } from './use-jobs.ts';

/** A waiting job has a log only after an earlier attempt. The job's page shows that log. */
const started = statuses.filter((status) => status !== 'IN_QUEUE');

const optionOf = ({ id, status, workerId, createdAt }: JobSummary, { dateAndTime }: Times) => ({
  value: id,
  label: id,
  labelTag: statusName(status),
  description: `Submitted ${dateAndTime(createdAt)}${workerId === undefined ? '' : `, worker ${workerId}`}`,
});

const shownFirst = (jobs: readonly JobSummary[]) => jobs.find(({ status }) => status === 'IN_PROGRESS') ?? jobs[0];

export default function LogsTab({ endpoint }: { readonly endpoint: string }) {
  const times = useTimes();
  const [parameters, change] = useParameters();
  const page = { endpoint, statuses: started, size: 100, cursor: undefined };
  const { data, error, refetch } = useJobs(page, intervals.jobChoices);
  // The first job remains selected, even if another job runs later.
  const [first, setFirst] = useState<string | undefined>(undefined);
  if (data && first === undefined && data.requests.length > 0) setFirst(shownFirst(data.requests)?.id);
  if (!data && error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height="320px" />;

  const wanted = parameters.get('job') ?? first;
  if (wanted === undefined) return <Box>No job has run in the last 30 minutes. Logs are shown by job.</Box>;
  const job = data.requests.find(({ id }) => id === wanted);
  return (
    <SpaceBetween size="m">
      <FormField
        label="Job"
        description="The newest 100 jobs that a worker has taken. Output between jobs is in CloudWatch Logs."
        constraintText={<JobsFreshness page={page} />}
        secondaryControl={<Link to={paths.job(endpoint, wanted)}>Show the job</Link>}
      >
        <Select
          selectedOption={job ? optionOf(job, times) : { value: wanted, label: wanted }}
          options={data.requests.map((one) => optionOf(one, times))}
          triggerVariant="option"
          filteringType="auto"
          filteringPlaceholder="Id, worker or status"
          filteringAriaLabel="Find a job"
          empty="No job has this id, worker or status"
          onChange={({ detail }) => change({ job: detail.selectedOption.value })}
        />
      </FormField>
      {job ? (
        <LogView key={wanted} endpoint={endpoint} job={job} />
      ) : (
        <Alert>The job is not one of the newest 100. Its page shows the log until the job expires.</Alert>
      )}
    </SpaceBetween>
  );
}
