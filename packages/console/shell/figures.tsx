/** Shows a row of figures with their labels. Numbers change in place. */
import Box from '@cloudscape-design/components/box';
import Skeleton from '@cloudscape-design/components/skeleton';
import type { ReactNode } from 'react';

export interface Figure {
  readonly label: string;
  /** Undefined while it loads. */
  readonly value: ReactNode;
  /** A few words below the value. */
  readonly note?: ReactNode;
}

export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl className="figures">
      {figures.map(({ label, value, note }) => (
        <div key={label}>
          <dt>
            <Box variant="awsui-key-label">{label}</Box>
          </dt>
          <dd>
            <Box fontSize="heading-l" fontWeight="bold">
              <span className="number">{value ?? <Skeleton display="inline-block" width="56px" />}</span>
            </Box>
            {note !== undefined && (
              <Box fontSize="body-s" color="text-body-secondary">
                {note}
              </Box>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
