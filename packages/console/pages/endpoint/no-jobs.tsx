/** Shows what to do if the job list is empty. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { firstCall } from '../../endpoint/first-call.ts';
import { Command } from '../../shell/command.tsx';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';

interface Props {
  readonly endpoint: string;
  readonly isFiltered: boolean;
  readonly onShowAll: () => void;
}

export function NoJobs({ endpoint, isFiltered, onShowAll }: Props) {
  if (isFiltered)
    return (
      <SpaceBetween size="s">
        <Box>No job matches the filter. Expired jobs are not listed.</Box>
        <Button onClick={onShowAll}>Show all jobs</Button>
      </SpaceBetween>
    );
  return (
    <Box textAlign="left">
      <Box variant="p">
        This endpoint has no jobs. Submit a job in the <Link to={paths.playground(endpoint)}>playground</Link>, or from
        a shell with an API key in <code>API_KEY</code>:
      </Box>
      <Command label="First job" text={firstCall(location.origin, endpoint)} />
    </Box>
  );
}
