/** Cells with the use of a key and its limit. */
import Badge from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import { dollars } from '../../endpoint/cost.ts';
import { Link } from '../../shell/link.tsx';
import { jobsPath } from '../../shell/paths.ts';
import { count } from '../../units.ts';
import type { ApiKey } from './key.ts';
import { dayOf, type KeyUse, USE_DAYS } from './use.ts';

/** Uses by the id of the key; undefined while they are not known. */
export type Uses = ReadonlyMap<string, KeyUse> | undefined;

interface Props {
  readonly apiKey: ApiKey;
  readonly uses: Uses;
}

export function LastUse({ apiKey: { id, name }, uses }: Props) {
  if (!uses) return '-';
  const use = uses.get(id);
  if (!use) return <Box color="text-body-secondary">Not in {USE_DAYS} days</Box>;
  const jobs = `${count(use.jobs)} ${use.jobs === 1 ? 'job' : 'jobs'}`;
  return (
    <>
      {use.lastDay === dayOf(Date.now()) ? 'Today' : use.lastDay}
      <Box fontSize="body-s" color="text-body-secondary">
        <Link to={jobsPath({ key: id, since: `${USE_DAYS}d` })} fontSize="body-s" ariaLabel={`${jobs} of ${name}`}>
          {jobs}
        </Link>{' '}
        in {USE_DAYS} days
      </Box>
    </>
  );
}

export function Spent({ apiKey: { id, maxDollarsPerDay: max }, uses }: Props) {
  const { dollars: total = 0, today = 0 } = uses?.get(id) ?? {};
  return (
    <>
      {uses ? `${dollars(total)} in ${USE_DAYS} days` : '-'}
      <Box fontSize="body-s" color="text-body-secondary">
        {max === undefined ? 'No limit' : uses ? `${dollars(today)} of ${dollars(max)} today` : `${dollars(max)} a day`}{' '}
        {max !== undefined && today >= max && <Badge color="red">Spent</Badge>}
      </Box>
    </>
  );
}
