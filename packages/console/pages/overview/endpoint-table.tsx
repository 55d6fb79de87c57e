/** Shows all endpoints. Endpoints with problems are first. */
import Header from '@cloudscape-design/components/header';
import TextFilter from '@cloudscape-design/components/text-filter';
import { useParameters } from '../../shell/parameter.ts';
import Table from '../../shell/table.tsx';
import { columns } from './columns.tsx';
import { matching } from './matching.ts';
import { useSteadyOrder } from './order.ts';
import { byTrouble, type Row } from './trouble.ts';

interface Props {
  /** Undefined while they load. */
  readonly endpoints: readonly Row[] | undefined;
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
        contentDensity="compact"
        stickyColumns={{ first: 1 }}
        enableKeyboardNavigation={false}
        header={
          <Header
            variant="h2"
            counter={endpoints && (filter === '' ? `(${all.length})` : `(${rows.length} of ${all.length})`)}
            actions={
              isFiltered && (
                <TextFilter
                  filteringText={filter}
                  filteringPlaceholder="Name, image, template"
                  filteringAriaLabel="Filter endpoints"
                  onChange={({ detail }) => change({ filter: detail.filteringText }, { replace: true })}
                />
              )
            }
          >
            All endpoints
          </Header>
        }
        ariaLabels={{ tableLabel: 'Endpoints' }}
        empty={`No endpoint matches "${filter}".`}
      />
    </div>
  );
}
