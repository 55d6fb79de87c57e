/** Columns of tables of costs: dollars and time of workers, in total and by what the workers did, and a job's part. */
import Box from '@cloudscape-design/components/box';
import type { Cost } from '../api/management-types.ts';
import type { TableProps } from '../shell/table.tsx';
import { count, duration } from '../units.ts';
import { dollars, mostlyIdle } from './cost.ts';

const number = (text: string) => <span className="number">{text}</span>;

const shares = ['busy', 'idle', 'starting'] as const;

function Share({ cost: { dollars: cost, workerTime }, share }: { cost: Cost; share: (typeof shares)[number] }) {
  const idle = share === 'idle' ? mostlyIdle(cost) : undefined;
  return (
    <>
      {idle === undefined ? (
        number(dollars(cost[share]))
      ) : (
        <Box variant="span" color="text-status-warning" fontWeight="bold">
          {number(`${dollars(cost[share])} (${Math.round(idle * 100)} %)`)}
        </Box>
      )}{' '}
      <Box variant="span" fontSize="body-s" color="text-body-secondary">
        {number(duration(workerTime[share]))}
      </Box>
    </>
  );
}

export const costColumns: readonly TableProps.ColumnDefinition<Cost>[] = [
  { id: 'total', header: 'Total', cell: ({ dollars: cost }) => <b className="number">{dollars(cost.total)}</b> },
  ...shares.map((share) => ({
    id: share,
    header: share[0]?.toUpperCase() + share.slice(1),
    minWidth: 140,
    cell: (cost: Cost) => <Share cost={cost} share={share} />,
  })),
  { id: 'jobs', header: 'Jobs', cell: ({ jobs }) => number(count(jobs)) },
  {
    id: 'each',
    header: 'A job',
    cell: ({ jobs, dollars: cost }) => (jobs === 0 ? '-' : number(dollars(cost.total / jobs))),
  },
];
