/**
 * A table whose rows become blocks on a narrow screen, with the header of each column before its value, so that nothing is
 * cut off and nothing scrolls sideways.
 */
import CloudscapeTable, { type TableProps } from '@cloudscape-design/components/table';
import { useMemo } from 'react';

export type { TableProps };

/** Adds the header of the column to each cell. It is hidden on wide screens (style.css). */
const labelled = <Item,>(column: TableProps.ColumnDefinition<Item>): TableProps.ColumnDefinition<Item> => ({
  ...column,
  cell: (item) => (
    <div className="cell">
      {!column.isRowHeader && <span className="cell-label">{column.header}</span>}
      <div className="cell-value">{column.cell(item)}</div>
    </div>
  ),
});

export default function Table<Item>({ columnDefinitions, ...props }: TableProps<Item>) {
  const columns = useMemo(() => columnDefinitions.map(labelled), [columnDefinitions]);
  return (
    <div className="rows">
      <CloudscapeTable {...props} columnDefinitions={columns} />
    </div>
  );
}
