/** Cells that the lists of living and of stopped workers share. */
import Box from '@cloudscape-design/components/box';
import type { LastError, Worker } from '../../api/management-types.ts';
import { seen } from '../../json/display.ts';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import type { TableProps } from '../../shell/table.tsx';
import { Time } from '../../shell/time.tsx';
import { count } from '../../units.ts';
import type { Mark } from './worker.ts';
import { WorkerLink } from './worker-link.tsx';
import { failingRemark } from './worker-share.ts';

export function Marks({ marks }: { readonly marks: readonly Mark[] }) {
  return marks.map(({ isBad, text }) => (
    <Box key={text} fontSize="body-s" color={isBad ? 'text-status-error' : 'text-body-secondary'}>
      {text}
    </Box>
  ));
}

export const at = (time: string | undefined) => (time === undefined ? '-' : <Time at={time} />);

interface Row extends Pick<Worker, 'id' | 'completed' | 'failed'> {
  readonly lastError?: LastError;
}

/**
 * @param all counts of all workers of the endpoint
 */
export function sharedColumns<R extends Row>(
  endpoint: string,
  all: Pick<Worker, 'completed' | 'failed'>,
): Readonly<Record<'worker' | 'done' | 'error', TableProps.ColumnDefinition<R>>> {
  return {
    worker: {
      id: 'worker',
      header: 'Worker',
      isRowHeader: true,
      minWidth: 130,
      cell: ({ id }) => <WorkerLink endpoint={endpoint} worker={id} />,
    },
    done: {
      id: 'done',
      header: 'Jobs done, failed',
      minWidth: 170,
      cell: (worker) => {
        const remark = failingRemark(worker, all);
        return (
          <>
            <span className="number">
              {count(worker.completed)}, {count(worker.failed)}
            </span>
            {remark !== undefined && <Marks marks={[{ isBad: true, text: remark }]} />}
          </>
        );
      },
    },
    error: {
      id: 'error',
      header: 'Last error',
      minWidth: 200,
      cell: ({ lastError }) =>
        lastError === undefined ? (
          '-'
        ) : (
          <>
            <Link to={paths.job(endpoint, lastError.job)}>{lastError.code ?? 'Failed'}</Link>
            {lastError.error !== undefined && <div className="anywhere error-line">{seen(lastError.error)}</div>}
          </>
        ),
    },
  };
}
