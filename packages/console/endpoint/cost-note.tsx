/** Says what costs contain, and up to when they are summed. */
import type { Costs } from '../api/management-types.ts';
import { Time } from '../shell/time.tsx';
import { duration } from '../units.ts';

/** @param costs undefined while they load */
export function CostNote({ costs }: { readonly costs: Costs | undefined }) {
  const unpriced = costs?.total.unpricedTime ?? 0;
  return (
    <>
      On-demand prices of workers, from their place on a machine to their stop.
      {unpriced > 0 && ` Excludes ${duration(unpriced)} without a price (Spot).`}
      {costs && (
        <>
          {' '}
          Summed up to <Time at={costs.summedTo} />.
        </>
      )}
    </>
  );
}
