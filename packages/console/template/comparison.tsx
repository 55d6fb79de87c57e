/** Shows the changes of an edit in a table of old and new values. */
import './template.css';
import Badge from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import Table from '../shell/table.tsx';
import type { Difference } from './difference.ts';

export function Value({ text, absent }: { readonly text: string | undefined; readonly absent: string }) {
  if (text === undefined) return <Box color="text-body-secondary">{absent}</Box>;
  return <span className="template-value">{text}</span>;
}

export function Comparison({ differences }: { readonly differences: readonly Difference[] }) {
  return (
    <Table
      variant="embedded"
      wrapLines
      items={differences}
      trackBy="label"
      ariaLabels={{ tableLabel: 'Changes' }}
      columnDefinitions={[
        {
          id: 'field',
          header: 'Field',
          isRowHeader: true,
          cell: ({ label, rollsOut }) => (
            <>
              {label} {rollsOut && <Badge color="blue">Replaces workers</Badge>}
            </>
          ),
        },
        { id: 'from', header: 'Now', cell: ({ from }) => <Value text={from} absent="Not set" /> },
        { id: 'to', header: 'After', cell: ({ to }) => <Value text={to} absent="Removed" /> },
      ]}
    />
  );
}
