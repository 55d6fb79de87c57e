/** The logs of an endpoint: what its workers print for one of its jobs, at first for the one that runs. */
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { JobSummary } from '../../../api/job-types.ts';
import { intervals } from '../../../api/polling.ts';
import { LogView } from '../../../job/log-view.tsx';
import { Failure } from '../../../shell/failure.tsx';
import { Link } from '../../../shell/link.tsx';
import { useParameters } from '../../../shell/parameter.ts';
import { paths } from '../../../shell/paths.ts';
import { type Times, useTimes } from '../../../times.ts';
import { statuses } from '../jobs/actions.ts';
import { JobsFreshness } from '../jobs/jobs-freshness.tsx';
import { statusName } from '../jobs/status.tsx';
import { useJobs } from '../jobs/use-jobs.ts';

/** Of a job that waits there is a log only if an attempt has ended: its own page shows it. */
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
  // Once a job is shown it stays, whichever runs then.
  const [first, setFirst] = useState<string | undefined>(undefined);
  if (data && first === undefined && data.requests.length > 0) setFirst(shownFirst(data.requests)?.id);
  if (!data && error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height="320px" />;

  const wanted = parameters.get('job') ?? first;
  if (wanted === undefined) return <Box>No job has run in the last 30 minutes. A log belongs to a job.</Box>;
  const job = data.requests.find(({ id }) => id === wanted);
  return (
    <SpaceBetween size="m">
      <FormField
        label="Job"
        description="Of the newest 100 that a worker has taken. What workers print between jobs is in CloudWatch Logs."
        constraintText={<JobsFreshness page={page} />}
        secondaryControl={<Link to={paths.job(endpoint, wanted)}>Show the job</Link>}
      >
        <Select
          selectedOption={job ? optionOf(job, times) : { value: wanted, label: wanted }}
          options={data.requests.map((one) => optionOf(one, times))}
          triggerVariant="option"
          filteringType="auto"
          filteringPlaceholder="Id, worker or status"
          filteringAriaLabel="Search a job"
          empty="No job has this id, worker or status"
          onChange={({ detail }) => change({ job: detail.selectedOption.value })}
        />
      </FormField>
      {job ? (
        <LogView key={wanted} endpoint={endpoint} job={job} />
      ) : (
        <Alert>The job is not among the newest. Its own page shows its log while the service keeps the job.</Alert>
      )}
    </SpaceBetween>
  );
}
