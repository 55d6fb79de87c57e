/** Names the time that a tab shows. */
import { Time } from '../../shell/time.tsx';
import type { Period } from './period.ts';

export function PeriodName({ period: { range, since, until } }: { readonly period: Period }) {
  if (since === undefined && until === undefined) return `The ${range.name}`;
  return (
    <>
      {since !== undefined && (
        <>
          From <Time at={since} />
        </>
      )}{' '}
      {until === undefined ? (
        'until now'
      ) : (
        <>
          to <Time at={until} />
        </>
      )}
    </>
  );
}
