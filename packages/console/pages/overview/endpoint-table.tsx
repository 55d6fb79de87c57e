/** Shows all endpoints. Endpoints with problems are first. */
import Header from '@cloudscape-design/components/header';
import Table from '@cloudscape-design/components/table';
import TextFilter from '@cloudscape-design/components/text-filter';
import type { Endpoint } from '../../api/management-types.ts';
import { byTrouble } from '../../endpoint/trouble.ts';
import { useParameters } from '../../shell/parameter.ts';
import { columns } from './columns.tsx';
import { matching } from './matching.ts';
import { useSteadyOrder } from './order.ts';

interface Props {
  /** Undefined while they load. */
  readonly endpoints: readonly Endpoint[] | undefined;
}

/** Number of endpoints from which a filter is shown. */
const FILTERED_FROM = 8;

export default function EndpointTable({ endpoints }: Props) {
  const [parameters, change] = useParameters();
  const filter = parameters.get('filter') ?? '';
  const all = endpoints ?? [];
  const [rows, held] = useSteadyOrder(byTrouble(matching(all, filter)));
  const isFiltered = all.length >= FILTERED_FROM || filter !== '';
  return (
    <div className="endpoint-table" {...held}>
      <Table
        items={rows}
        columnDefinitions={columns}
        trackBy="id"
        loading={endpoints === undefined}
        loadingText="Loading endpoints"
        skeleton={{ totalRows: 3 }}
        wrapLines
        cellVerticalAlign="top"
        stickyColumns={{ first: 1 }}
        enableKeyboardNavigation={false}
        header={
          <Header
            variant="h2"
            counter={endpoints && (filter === '' ? `(${all.length})` : `(${rows.length} of ${all.length})`)}
            description="Endpoints with problems first. Completed and failed jobs are counted since deployment."
          >
            All endpoints
          </Header>
        }
        filter={
          isFiltered && (
            <TextFilter
              filteringText={filter}
              filteringPlaceholder="Filter by name, image or template"
              filteringAriaLabel="Filter endpoints"
              onChange={({ detail }) => change({ filter: detail.filteringText }, { replace: true })}
            />
          )
        }
        ariaLabels={{ tableLabel: 'Endpoints' }}
        empty={`No endpoint matches "${filter}".`}
      />
    </div>
  );
}
