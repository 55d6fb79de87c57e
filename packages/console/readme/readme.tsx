/** Shows a readme. Its renderer is loaded with the first readme. */
import Box from '@cloudscape-design/components/box';
import { lazy, Suspense } from 'react';

const Rendered = lazy(() => import('./rendered.tsx'));

/** @param text untrusted Markdown */
export function Readme({ text }: { readonly text: string }) {
  if (text.trim() === '') return <Box color="text-body-secondary">This template has no readme.</Box>;
  return (
    <Suspense fallback={<Box color="text-body-secondary">Loading the readme</Box>}>
      <Rendered text={text} />
    </Suspense>
  );
}
