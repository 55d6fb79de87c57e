/** In place of a page whose code is on its way: as high as its heading and the first rows. */
import Box from '@cloudscape-design/components/box';
import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';

export function PageSkeleton() {
  return (
    <Box padding={{ top: 'm' }}>
      <div role="status" aria-label="Loading the page">
        <SpaceBetween size="l">
          <Skeleton variant="text-heading-xl" width="240px" />
          <Skeleton height="320px" />
        </SpaceBetween>
      </div>
    </Box>
  );
}
