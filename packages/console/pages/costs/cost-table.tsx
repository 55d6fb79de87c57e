/** Shows the costs of each day, and below a day those of its endpoints. Yesterday is open initially. */
import { useState } from 'react';
import type { Costs } from '../../api/management-types.ts';
import { costColumns } from '../../endpoint/cost-columns.tsx';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import Table from '../../shell/table.tsx';
import { DAY } from '../../units.ts';
import { type CostRow, lastDays, rowsOf } from './days.ts';

const nextDay = (day: string) => new Date(Date.parse(day) + DAY).toISOString();

interface Props {
  /** Undefined while they load. */
  readonly costs: Costs | undefined;
  readonly days: number;
}

export default function CostTable({ costs, days }: Props) {
  const shown = lastDays(days, Date.now());
  const [today, yesterday, ...earlier] = shown;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set([yesterday ?? '', 'all']));
  const rows = costs && costs.costs.length > 0 ? rowsOf(costs.costs, shown) : [];

  function nameOf({ day }: CostRow): string {
    if (day === undefined) return `All ${days} days`;
    return day === today ? `${day}, so far` : day === yesterday ? `${day}, yesterday` : day;
  }

  function nameCell(row: CostRow) {
    const { day, endpoint } = row;
    if (endpoint === undefined) return <b>{nameOf(row)}</b>;
    const since = `${day ?? earlier.at(-1)}T00:00:00.000Z`;
    return (
      <Link
        to={paths.endpointCost(endpoint, since, nextDay(day ?? today ?? ''))}
        ariaLabel={`Costs of ${endpoint}, ${nameOf(row)}`}
      >
        {endpoint}
      </Link>
    );
  }

  return (
    <div className="cost-table">
      <Table<CostRow>
        items={rows}
        columnDefinitions={[
          {
            id: 'day',
            header: 'Day (UTC), endpoint',
            isRowHeader: true,
            minWidth: 240,
            cell: nameCell,
          },
          ...costColumns,
        ]}
        trackBy="id"
        expandableRows={{
          getItemChildren: ({ endpoints }) => [...endpoints],
          isItemExpandable: ({ endpoints }) => endpoints.length > 0,
          expandedItems: rows.filter(({ id }) => open.has(id)),
          onExpandableItemToggle: ({ detail: { item, expanded } }) =>
            setOpen((before) => new Set(expanded ? [...before, item.id] : [...before].filter((id) => id !== item.id))),
        }}
        loading={!costs}
        loadingText="Loading costs"
        skeleton={{ totalRows: days }}
        contentDensity="compact"
        wrapLines
        enableKeyboardNavigation={false}
        ariaLabels={{
          tableLabel: 'Costs by day and endpoint',
          expandButtonLabel: (row) => `Show the endpoints of ${nameOf(row)}`,
          collapseButtonLabel: (row) => `Hide the endpoints of ${nameOf(row)}`,
        }}
        empty={`No worker has run within ${days} days.`}
      />
    </div>
  );
}
