/** All mutants of `npm run mutants -w packages/lab`. */
import { emulatorMutants } from './emulator.ts';
import { fleetMutants } from './fleet.ts';
import { historyMutants } from './history.ts';
import { jobMutants } from './jobs.ts';
import { ledgerMutants } from './ledger.ts';
import type { Mutant } from './mutant.ts';
import { permissionMutants } from './permissions.ts';
import { releaseMutants } from './releases.ts';
import { streamMutants } from './streams.ts';
import { submissionMutants } from './submission.ts';
import { usageMutants } from './usage.ts';
import { waitingCallMutants } from './waiting-calls.ts';
import { webhookMutants } from './webhooks.ts';
import { workerMutants } from './workers.ts';

export const mutants: readonly Mutant[] = [
  ...jobMutants,
  ...submissionMutants,
  ...workerMutants,
  ...ledgerMutants,
  ...historyMutants,
  ...usageMutants,
  ...webhookMutants,
  ...waitingCallMutants,
  ...fleetMutants,
  ...releaseMutants,
  ...permissionMutants,
  ...streamMutants,
  ...emulatorMutants,
];
