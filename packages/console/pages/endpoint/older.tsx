/** Loads older entries of a list of the history, and says up to which time it was read. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { Time } from '../../shell/time.tsx';

interface Props {
  readonly readTo: string | undefined;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

export function Older({ readTo, hasNextPage, isFetchingNextPage, fetchNextPage }: Props) {
  if (!hasNextPage) return null;
  return (
    <Box textAlign="center">
      <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Search older jobs
      </Button>{' '}
      {readTo !== undefined && (
        <Box variant="span" color="text-body-secondary">
          Read back to <Time at={readTo} />
        </Box>
      )}
    </Box>
  );
}
