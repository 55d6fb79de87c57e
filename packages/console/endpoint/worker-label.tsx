/** Shows an endpoint's number of workers and, below it, the number in each state. */
import Box from '@cloudscape-design/components/box';
import { Fragment } from 'react';
import type { Endpoint } from '../api/management-types.ts';
import { workerShare, workerStates } from './worker-counts.ts';

export function WorkerLabel({ endpoint: { health, maxWorkers } }: { readonly endpoint: Endpoint }) {
  const states = workerStates(health.workers);
  return (
    <>
      <span className="number">{workerShare(health.workers, maxWorkers)}</span>
      {states.length > 0 && (
        <Box fontSize="body-s" color="text-body-secondary">
          {states.map(({ state, text }, index) => (
            <Fragment key={state}>
              {index > 0 && ', '}
              <span className="number">{text}</span>
            </Fragment>
          ))}
        </Box>
      )}
    </>
  );
}
