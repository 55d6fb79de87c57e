/** All mutants of `npm run mutants`. */
import { acceptanceMutants } from './acceptance.ts';
import { batchMutants } from './batches.ts';
import { bodyMutants } from './bodies.ts';
import { cacheMutants } from './caches.ts';
import { clientMutants } from './clients.ts';
import { consoleMutants } from './console.ts';
import { consoleRouteMutants } from './console-routes.ts';
import { contractMutants } from './contract.ts';
import { deploymentMutants } from './deployment.ts';
import { expiryMutants } from './expiry.ts';
import { fleetMutants } from './fleet.ts';
import { fleetEventMutants } from './fleet-events.ts';
import { frontDoorMutants } from './front-door.ts';
import { hostileMutants } from './hostile.ts';
import { httpMutants } from './http.ts';
import { ingressMutants } from './ingress.ts';
import { localMutants } from './local.ts';
import type { Mutant } from './mutant.ts';
import { openAiMutants } from './openai.ts';
import { openAiServerMutants } from './openai-servers.ts';
import { releaseMutants } from './releases.ts';
import { requestMutants } from './requests.ts';
import { rescueMutants } from './rescue.ts';
import { retiringMutants } from './retiring.ts';
import { sharedLimitMutants } from './shared-limits.ts';
import { sharedValueMutants } from './shared-values.ts';
import { streamMutants } from './stream.ts';
import { timelineMutants } from './timeline.ts';
import { unitMutants } from './units.ts';
import { unprotectedMutants } from './unprotected.ts';
import { userMutants } from './users.ts';
import { waitSlotMutants } from './wait-slots.ts';
import { waitingMutants } from './waiting.ts';
import { webhookSecretMutants } from './webhook-secrets.ts';
import { webhookMutants } from './webhooks.ts';
import { workerMutants } from './workers.ts';

export const mutants: readonly Mutant[] = [
  ...acceptanceMutants,
  ...batchMutants,
  ...bodyMutants,
  ...deploymentMutants,
  ...frontDoorMutants,
  ...expiryMutants,
  ...fleetMutants,
  ...fleetEventMutants,
  ...hostileMutants,
  ...httpMutants,
  ...ingressMutants,
  ...localMutants,
  ...openAiServerMutants,
  ...openAiMutants,
  ...releaseMutants,
  ...requestMutants,
  ...rescueMutants,
  ...retiringMutants,
  ...clientMutants,
  ...sharedLimitMutants,
  ...streamMutants,
  ...timelineMutants,
  ...unitMutants,
  ...unprotectedMutants,
  ...userMutants,
  ...cacheMutants,
  ...consoleMutants,
  ...consoleRouteMutants,
  ...contractMutants,
  ...waitingMutants,
  ...sharedValueMutants,
  ...waitSlotMutants,
  ...webhookMutants,
  ...webhookSecretMutants,
  ...workerMutants,
];
