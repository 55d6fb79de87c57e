/** The table of a tab. Its title is also its name for screen readers, and its description ends with its freshness. */
import Header from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';
import { Freshness } from '../../shell/freshness.tsx';
import Table, { type TableProps } from '../../shell/table.tsx';

interface Props<Item> extends Pick<TableProps<Item>, 'columnDefinitions' | 'trackBy' | 'filter' | 'footer' | 'empty'> {
  readonly title: string;
  /** Such as `jobs`, for the time while they load. */
  readonly what: string;
  /** Undefined while they load. */
  readonly items: readonly Item[] | undefined;
  /**
   * Rows while the items load.
   * @default 3
   */
  readonly skeletonRows?: number;
  /** Whether the title has the number of items. */
  readonly isCounted?: boolean;
  readonly description: ReactNode;
  /** Time of the last answer, and the error of a later request. */
  readonly since: number;
  readonly error: unknown;
}

export function TabTable<Item>(props: Props<Item>) {
  const { title, what, items, skeletonRows = 3, isCounted, description, since, error, ...table } = props;
  return (
    <Table
      {...table}
      items={items ?? []}
      loading={!items}
      loadingText={`Loading ${what}`}
      skeleton={{ totalRows: skeletonRows }}
      contentDensity="compact"
      cellVerticalAlign="top"
      wrapLines
      header={
        <Header
          variant="h2"
          counter={isCounted && items ? `(${items.length})` : undefined}
          description={
            <>
              {description}
              <Freshness since={since} error={error} />
            </>
          }
        >
          {title}
        </Header>
      }
      ariaLabels={{ tableLabel: title }}
    />
  );
}
