import { Construct } from 'constructs';
import { waitingOperations } from '../../core/http/ingress.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import type { EndpointsTable, WorkersTable } from '../endpoints/tables.ts';
import type { Ingress } from '../front-door/ingress.ts';
import type { KeysTable } from '../keys/keys-table.ts';
import { tellNetworks } from '../webhooks/networks.ts';
import type { DeliveriesTable } from '../webhooks/tables.ts';
import { grantWorkerLogs } from '../workers/logs.ts';
import { createJobFunctions, type JobFunctions } from './functions.ts';
import type { PayloadBucket } from './payload-bucket.ts';
import { letSendMessages } from './queue-senders.ts';
import type { SecretsKey } from './secrets-key.ts';
import type { ArrivalsTable, DeadlinesTable, JobsTable, PayloadsTable } from './tables.ts';
import { Waits } from './waits.ts';

export interface JobsProps {
  readonly jobs: JobsTable;
  readonly payloads: PayloadsTable;
  readonly objects: PayloadBucket;
  readonly arrivals: ArrivalsTable;
  readonly deadlines: DeadlinesTable;
  readonly deliveries: DeliveriesTable;
  readonly secrets: SecretsKey;
  readonly endpoints: EndpointsTable;
  readonly workers: WorkersTable;
  readonly keys: KeysTable;
  /** What serves calls that wait, and large bodies. @default - functions serve all */
  readonly ingress?: Ingress | undefined;
}

type Server = ServiceFunction | Ingress;

/** What serves calls that wait. */
function serverOf(its: ServiceFunction | undefined, ingress: Ingress | undefined): Server {
  const server = its ?? ingress;
  if (!server) throw new Error('An operation has neither a function nor an ingress.');
  return server;
}

/** The operations of the job interface: a function each, or the ingress, with the access that they need. */
export class Jobs extends Construct {
  readonly functions: JobFunctions;

  constructor(scope: Construct, id: string, props: JobsProps) {
    super(scope, id);
    const { jobs, payloads, objects, secrets, arrivals, deadlines, deliveries, endpoints, workers, keys, ingress } =
      props;

    this.functions = createJobFunctions(this, ingress ? waitingOperations : []);
    const { run, status, input, logs, cancel, retry, requests, webhooks, resend, health } = this.functions;
    const { 'purge-queue': purgeQueue } = this.functions;
    const runsync = serverOf(this.functions.runsync, ingress);
    const statusSync = serverOf(this.functions['status-sync'], ingress);
    const stream = serverOf(this.functions.stream, ingress);
    const openai = serverOf(this.functions.openai, ingress);

    // A job is stored, its input beside it, and the endpoint's queue is told.
    for (const submits of new Set([run, runsync, openai])) {
      payloads.grantSubmit(submits);
      objects.grantSubmit(submits);
      jobs.grantSubmit(submits);
    }
    // Only these jobs have secrets of their own, and webhooks.
    for (const submits of [run, runsync]) {
      secrets.grantSeal(submits);
      tellNetworks(submits);
    }
    // To find the job of a repeated request.
    jobs.grantRead(run);

    // It is read as often as its client asks.
    for (const reads of new Set([runsync, status, statusSync, stream, openai])) {
      // What has ended by the clock is stored before anybody is told.
      jobs.grantMove(reads);
      objects.grantRead(reads);
    }
    for (const shows of new Set([runsync, status, statusSync])) {
      // What gives chunks may read them.
      if (shows !== stream) payloads.grantRead(shows);
      // Where a job stands while it waits, and why.
      arrivals.grantCount(shows);
      // And what has become of its webhook.
      deliveries.grantRead(shows);
      workers.grantList(shows);
    }
    // What a job was given is read by whoever looks at it later.
    jobs.grantMove(input);
    payloads.grantRead(input);
    objects.grantRead(input);
    payloads.grantStream(stream);
    if (openai !== stream) payloads.grantChunks(openai);

    // Calls that wait are bounded.
    const slots = new Waits(this, 'Waits', ingress?.room);
    for (const waits of new Set([runsync, statusSync, stream, openai])) {
      jobs.grantWatch(waits);
      endpoints.grantWait(waits);
      slots.setIn(waits);
    }

    // A process of the ingress holds many slots, and requests that come past API Gateway are checked and counted by itself.
    if (ingress) {
      endpoints.grantHoldSlots(ingress);
      keys.grantRead(ingress);
      endpoints.grantAdmitDirect(ingress);
    }

    // What was printed for it is with its worker's other lines.
    jobs.grantMove(logs);
    grantWorkerLogs(logs);

    // Its client may change its mind, or want it run again: its input is kept for longer, and the queue is told.
    jobs.grantMove(cancel);
    jobs.grantMove(retry);
    deliveries.grantKeep(retry);
    for (const inputs of [payloads, objects]) {
      inputs.grantRead(retry);
      inputs.grantSubmit(retry);
    }

    // The endpoint as a whole.
    endpoints.grantNote(purgeQueue);
    for (const counted of [cancel, requests]) endpoints.grantCountCalls(counted);
    jobs.grantList(requests);
    jobs.grantSettle(requests);
    workers.grantList(health);

    // Webhooks that nobody took: whoever starts them lets `resend` do so, too.
    deliveries.grantList(webhooks);
    deliveries.grantReopen(resend);
    deadlines.grantNote(resend);
    jobs.grantRead(resend);

    for (const server of [...Object.values(this.functions), ...(ingress ? [ingress] : [])]) endpoints.grantRead(server);
    for (const messages of new Set([run, runsync, openai, retry])) letSendMessages(messages);
  }
}
