import { Construct } from 'constructs';
import { waitingOperations } from '../../core/http/ingress.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import type { EndpointsTable, WorkersTable } from '../endpoints/tables.ts';
import type { Ingress } from '../front-door/ingress.ts';
import type { KeysTable } from '../keys/keys-table.ts';
import { setWebhookNetworks } from '../webhooks/networks.ts';
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
  /** Serves calls that wait, and large bodies. @default - functions serve all */
  readonly ingress?: Ingress | undefined;
}

const stores =
  'Stores the job, and before it an input of more than 200 bytes, a long webhook URL, a sealed `s3Config`, and the `Idempotency-Key`.';
const finalizes = 'Stores the end of a job whose time is over before the client sees it.';

type Server = ServiceFunction | Ingress;

/** Returns the function or the ingress that serves an operation. */
function serverOf(its: ServiceFunction | undefined, ingress: Ingress | undefined): Server {
  const server = its ?? ingress;
  if (!server) throw new Error('An operation that waits has neither a function nor an ingress to serve it.');
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

    // A submitted job is stored, its input beside it, and its message is sent.
    for (const submits of new Set([run, runsync, openai])) {
      payloads.grantSubmit(submits, stores);
      objects.grantSubmit(submits, 'Stores an input of more than 7 KB.');
      jobs.grantSubmit(submits, stores);
    }
    // Only these jobs have secrets of their own, and webhooks.
    for (const submits of [run, runsync]) {
      secrets.grantSeal(submits);
      setWebhookNetworks(submits);
    }
    jobs.grantRead(run, 'Looks whether the job of a repeated `Idempotency-Key` is stored.');

    // A job is read as often as its client asks.
    for (const reads of new Set([runsync, status, statusSync, stream, openai])) {
      jobs.grantMove(reads, {
        GetItem: 'Reads the job, with the number of its chunks that count.',
        UpdateItem: reads === status ? `${finalizes} It lets a result expire sooner, too.` : finalizes,
      });
      objects.grantRead(reads, 'Reads an output, error or chunk of more than 7 KB.');
    }
    for (const shows of new Set([runsync, status, statusSync])) {
      // What sends chunks may read them anyway.
      if (shows !== stream) payloads.grantRead(shows, 'Reads an output, error or chunk of more than 200 bytes.');
      arrivals.grantCount(shows);
      deliveries.grantRead(shows);
      workers.grantList(shows, 'Finds why a job waits: reads the leases of workers.');
    }
    const readsInput = 'Reads the job, and an input of more than 200 bytes.';
    jobs.grantMove(input, { GetItem: readsInput, UpdateItem: finalizes });
    payloads.grantRead(input, readsInput);
    objects.grantRead(input, 'Reads an input of more than 7 KB.');
    payloads.grantStream(stream);
    if (openai !== stream) payloads.grantChunks(openai);

    // Calls that wait are bounded.
    const slots = new Waits(this, 'Waits', ingress?.room);
    const watches = 'Looks at the job while calls wait for it, together with the jobs of other calls of the process.';
    for (const waits of new Set([runsync, statusSync, stream, openai])) {
      jobs.grantWatch(waits, watches);
      endpoints.grantWait(waits);
      slots.setIn(waits);
    }

    // A process of the ingress holds many slots, and checks and counts requests that bypass API Gateway.
    if (ingress) {
      endpoints.grantHoldSlots(ingress);
      keys.grantRead(ingress);
      endpoints.grantAdmitDirect(ingress);
    }

    // What was printed for a job is among the other lines of its worker.
    jobs.grantMove(logs, {
      GetItem: 'Reads the job: which attempt runs, and on which worker.',
      UpdateItem: finalizes,
    });
    grantWorkerLogs(logs);

    // A client may cancel a job, or retry it: then its input is kept for longer, and its message is sent again.
    jobs.grantMove(cancel, 'Reads the job and ends it.');
    jobs.grantMove(retry, 'Reads the job and lets it wait again.');
    deliveries.grantKeep(retry);
    const rewritesRow =
      'Writes an input of more than 200 bytes, a long webhook URL and a sealed `s3Config` again, so that they are kept for longer.';
    const rewritesObject = 'Writes an input of more than 7 KB again, so that it is kept for longer.';
    payloads.grantRead(retry, rewritesRow);
    payloads.grantSubmit(retry, rewritesRow);
    objects.grantRead(retry, rewritesObject);
    objects.grantSubmit(retry, rewritesObject);

    // The endpoint as a whole.
    const purges =
      'Counts the calls of the last 10 seconds, and raises the generation of the queue: jobs that wait in an older one are purged.';
    endpoints.grantUpdate(purgeQueue, purges);
    for (const counted of [cancel, requests]) endpoints.grantCountCalls(counted);
    jobs.grantList(requests, 'Lists the jobs of the endpoint.');
    jobs.grantFinalize(requests, finalizes);
    workers.grantList(health, 'Counts the workers by their leases.');

    // Webhooks that no receiver took. The platform stack lets `resend` start their deliveries.
    deliveries.grantList(webhooks);
    deliveries.grantReopen(resend);
    deadlines.grantAdd(resend, 'Stores when the sweeper must check the delivery, in case nothing starts it.');
    jobs.grantRead(resend, 'Reads the job whose end is sent again.');

    const servers = [...Object.values(this.functions), ...(ingress ? [ingress] : [])];
    for (const server of servers) endpoints.grantRead(server, 'Reads the endpoint that the request is about.');
    for (const sends of new Set([run, runsync, openai, retry]))
      letSendMessages(sends, 'Sends the message of the job; the queues of every endpoint allow it.');
  }
}
