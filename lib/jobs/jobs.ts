import { Construct } from 'constructs';
import { waitingOperations } from '../../core/operations/table.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import type { EndpointsTable, WorkersTable } from '../endpoints/tables.ts';
import type { Ingress } from '../front-door/ingress.ts';
import type { HistoryTable } from '../history/table.ts';
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
  readonly history: HistoryTable;
  readonly secrets: SecretsKey;
  readonly endpoints: EndpointsTable;
  readonly workers: WorkersTable;
  readonly keys: KeysTable;
  /**
   * Serves calls that wait, and large bodies.
   * @default - functions serve all calls
   */
  readonly ingress?: Ingress | undefined;
}

const stores =
  'Stores an input of more than 200 bytes, a long webhook URL, a sealed `s3Config` and the `Idempotency-Key`, and then the job.';
const position = 'Finds the position of a waiting job: counts the jobs that were submitted or retried before it.';
const finalizes = 'Finalizes a job that has expired or timed out, before the client sees it.';

type Server = ServiceFunction | Ingress;

/** Returns the function or the ingress that serves an operation. */
function serverOf(its: ServiceFunction | undefined, ingress: Ingress | undefined): Server {
  const server = its ?? ingress;
  if (!server) throw new Error('An operation that waits needs a function or the ingress, and has neither.');
  return server;
}

/** The operations of the job interface, each served by a function or by the ingress, with the access that it needs. */
export class Jobs extends Construct {
  readonly functions: JobFunctions;

  constructor(scope: Construct, id: string, props: JobsProps) {
    super(scope, id);
    const { jobs, payloads, objects, secrets, arrivals, deadlines, deliveries, endpoints, workers, keys } = props;
    const { history, ingress } = props;

    this.functions = createJobFunctions(this, ingress ? waitingOperations : []);
    const { run, status, input, logs, cancel, retry, requests, webhooks, resend, health } = this.functions;
    const { 'purge-queue': purgeQueue } = this.functions;
    const runsync = serverOf(this.functions.runsync, ingress);
    const statusSync = serverOf(this.functions['status-sync'], ingress);
    const stream = serverOf(this.functions.stream, ingress);
    const openai = serverOf(this.functions.openai, ingress);

    // Submitting a job stores its input and then the job, and sends its queue message.
    for (const submits of new Set([run, runsync, openai])) {
      payloads.grantSubmit(submits, stores);
      objects.grantSubmit(submits, 'Stores an input of more than 7 KB.');
      jobs.grantSubmit(submits, stores);
    }
    // Only jobs of `/run` and `/runsync` can have an `s3Config` or a webhook.
    for (const submits of [run, runsync]) {
      secrets.grantSeal(submits);
      setWebhookNetworks(submits);
    }
    jobs.grantRead(run, 'Checks whether the job of a repeated `Idempotency-Key` is stored.');

    // Operations that return a job read it and its payloads.
    for (const reads of new Set([runsync, status, statusSync, stream, openai])) {
      jobs.grantTransition(reads, {
        GetItem: 'Reads the job, with the number of its valid chunks.',
        UpdateItem: reads === status ? `${finalizes} Also shortens the retention of a result.` : finalizes,
      });
      objects.grantRead(reads, 'Reads an output, error or chunk of more than 7 KB.');
    }
    for (const shows of new Set([runsync, status, statusSync])) {
      // `grantStream` below gives `stream` this permission.
      if (shows !== stream) payloads.grantChunks(shows);
      arrivals.grantCount(shows, position);
      deliveries.grantRead(shows);
      workers.grantList(shows, 'Reads the leases of workers, to find why a job waits.');
    }
    const polls = 'Reads the job and the state of its webhook in one call.';
    jobs.grantReadBatch(status, polls);
    deliveries.grantPoll(status, polls);
    workers.grantReadStarts(status, 'Reads the start of a worker, to show the stages of a wait.');
    const readsInput = 'Reads the job, and an input of more than 200 bytes.';
    jobs.grantTransition(input, { GetItem: readsInput, UpdateItem: finalizes });
    payloads.grantRead(input, readsInput);
    objects.grantRead(input, 'Reads an input of more than 7 KB.');
    payloads.grantStream(stream);
    if (openai !== stream) payloads.grantChunks(openai);

    // Slots limit the number of calls that wait.
    const slots = new Waits(this, 'Waits', ingress?.room);
    const watches = 'Reads the job while calls wait for it, in one batch with the jobs of other calls in the process.';
    for (const waits of new Set([runsync, statusSync, stream, openai])) {
      jobs.grantReadBatch(waits, watches);
      endpoints.grantWait(waits);
      slots.setIn(waits);
    }

    // A process of the ingress holds many slots, and checks and counts requests that bypass API Gateway.
    if (ingress) {
      endpoints.grantHoldSlots(ingress);
      keys.grantRead(ingress);
      endpoints.grantAdmitDirect(ingress);
    }

    // The log lines of a job are among the other lines of its worker.
    jobs.grantTransition(logs, {
      GetItem: 'Reads from the job which attempt runs, and on which worker.',
      UpdateItem: finalizes,
    });
    grantWorkerLogs(logs);

    // A retry extends the retention of the input, and sends the queue message again.
    jobs.grantTransition(cancel, 'Reads the job and cancels it.');
    jobs.grantTransition(retry, 'Reads the job and puts it back into its queue.');
    deliveries.grantKeep(retry);
    const rewritesRow =
      'Stores an input of more than 200 bytes, a long webhook URL and a sealed `s3Config` again, with a later expiry.';
    const rewritesObject = 'Stores an input of more than 7 KB again, with a later expiry.';
    payloads.grantRead(retry, rewritesRow);
    payloads.grantSubmit(retry, rewritesRow);
    objects.grantRead(retry, rewritesObject);
    objects.grantSubmit(retry, rewritesObject);

    // Operations on the endpoint as a whole.
    const purges =
      'Counts the calls in the current window of 10 seconds, and raises the generation of the endpoint, which purges its waiting jobs.';
    endpoints.grantUpdate(purgeQueue, purges);
    jobs.grantPurge(purgeQueue);
    history.grantAdd(purgeQueue, 'Stores who called the operation, for the events of the endpoint.');
    for (const counted of [cancel, requests]) endpoints.grantCountCalls(counted);
    jobs.grantList(requests, 'Lists the jobs of the endpoint.');
    jobs.grantFinalize(requests, finalizes);
    arrivals.grantCount(requests, position);
    workers.grantList(requests, 'Reads the leases of workers, to find why jobs wait.');
    workers.grantList(health, 'Counts the workers by their leases.');

    // Webhooks that have failed. The platform stack lets `resend` start their deliveries.
    deliveries.grantList(webhooks);
    deliveries.grantReopen(resend);
    deadlines.grantAdd(resend, 'Stores when the sweeper must check the delivery, in case the delivery does not start.');
    jobs.grantRead(resend, 'Reads the job that the webhook reports.');

    const servers = [...Object.values(this.functions), ...(ingress ? [ingress] : [])];
    for (const server of servers) endpoints.grantRead(server, 'Reads the endpoint of the request.');
    for (const sends of new Set([run, runsync, openai, retry]))
      letSendMessages(sends, 'Sends the message of the job; the queues of every endpoint allow it.');
  }
}
