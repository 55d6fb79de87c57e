/**
 * `npm run webhooks`: manages the secrets that sign webhooks, and failed deliveries, of a deployment or `npm start`.
 */
import { parseArgs } from 'node:util';
import { systemClock } from '../core/clock.ts';
import { deployed } from '../core/endpoints/store.ts';
import { HOUR, SECOND, WEBHOOK_SECRET_CACHE, WEBHOOK_SECRET_OVERLAP, webhookListLimits } from '../core/limits.ts';
import { resend } from '../core/webhooks/resend.ts';
import type { WebhookSecret } from '../core/webhooks/signing.ts';
import { type FailedWebhook, webhooks } from '../core/webhooks/webhooks.ts';
import { type DeploymentOptions, deploymentOptions, useOutputs } from './deployment-outputs.ts';
import { UsageError } from './key-arguments.ts';
import { runVerb } from './verbs.ts';

const HELP = `Usage: npm run webhooks -- secret show --endpoint ID [options]
       npm run webhooks -- secret rotate --endpoint ID [options]
       npm run webhooks -- list [--endpoint ID] [options]
       npm run webhooks -- resend --endpoint ID --job ID [options]

Manages the secrets that sign webhooks, and sends failed deliveries again.

secret show prints the current secrets that sign the endpoint's deliveries, newest first. If there is no secret, it
creates one. secret rotate creates a new secret and prints all secrets that sign, newest first. Within
${WEBHOOK_SECRET_CACHE / SECOND} seconds the new secret signs every delivery. An earlier secret also signs until
${WEBHOOK_SECRET_OVERLAP / HOUR} hours after it was replaced. list shows failed deliveries that were not sent again,
newest first, of all endpoints or of one. resend sends a delivery again, with up to three more attempts. See
docs/guides/webhooks.md.

  --endpoint ID      the endpoint
  --job ID           the job
  --completion N     number of retries of the job before the webhook   (default: that of the last webhook)
  --local            use the deployment of \`npm start\`, while it runs
  --outputs FILE     the file that \`cdk deploy --outputs-file FILE\` wrote   (default: outputs.json)
  --deployment NAME  the deployment, if the outputs file has several
  --json             print only JSON
  --help             print this help

Examples:
  npm run webhooks -- secret show --endpoint echo
  npm run webhooks -- list --local
  npm run webhooks -- resend --endpoint echo --job JOB_ID
`;

const { outputs, deployment, local } = deploymentOptions;
const options = {
  outputs,
  deployment,
  local,
  endpoint: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** Outputs that this command copies to the environment variables that the functions also use. */
const variables = {
  DEADLINES_TABLE: 'DeadlinesTable',
  DELIVERIES_TABLE: 'DeliveriesTable',
  DELIVERY_MACHINE: 'DeliveryMachine',
  ENDPOINTS_TABLE: 'EndpointsTable',
  JOBS_TABLE: 'JobsTable',
  SECRETS_KEY: 'SecretsKey',
  SIGNING_TABLE: 'SigningTable',
} as const;

/** Loads the AWS SDK only when it is needed, because it loads slowly. Usage errors and the help do not need it. */
async function connect(chosen: DeploymentOptions) {
  const found = useOutputs(chosen, Object.values(variables));
  for (const [variable, output] of Object.entries(variables)) process.env[variable] = found[output];
  const [{ createDocumentClient }, { createDeliveryStarts }, { createWebhookSecrets }, { adaptersOf, portsFrom }] =
    await Promise.all([
      import('../aws/clients.ts'),
      import('../aws/webhooks/starts.ts'),
      import('../aws/webhooks/secrets.ts'),
      import('../aws/ports.ts'),
    ]);
  return portsFrom({
    ...adaptersOf(),
    deliveryStarts: createDeliveryStarts,
    webhookSecrets: () => createWebhookSecrets(createDocumentClient(), found.SigningTable, systemClock),
  });
}

function required(option: string, value: string | undefined): string {
  if (!value) throw new UsageError(`${option} is missing; --help shows the usage.`);
  return value;
}

const day = (time: number) => new Date(time).toISOString();

const secretLine = ({ secret, madeAt, until }: WebhookSecret) =>
  `${secret}  created ${day(madeAt)}${until === undefined ? '' : `; signs until ${day(until)}`}`;

async function secret(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [action, ...others] = positionals;
  if ((action !== 'show' && action !== 'rotate') || others.length > 0)
    throw new UsageError('secret takes show or rotate; --help shows the usage.');
  const id = required('--endpoint', values.endpoint);
  const { endpoints, webhookSecrets } = await connect(values);
  // Check the endpoint first, so that an unknown endpoint gets no secret.
  await deployed({ endpoints }, id);
  const secrets = action === 'show' ? await webhookSecrets.currentNow(id) : await webhookSecrets.rotate(id);
  console.log(values.json ? JSON.stringify(secrets) : secrets.map(secretLine).join('\n'));
}

type Failed = FailedWebhook & { readonly endpoint: string };

const failedLine = ({ endpoint, id, completion, failedAt, attempts, lastStatus, lastError }: Failed) =>
  [
    `${failedAt}  --endpoint ${endpoint} --job ${id} --completion ${completion}`,
    `${attempts} attempts; ${lastStatus === undefined ? 'no answer' : `answered ${lastStatus}`}; ${lastError ?? ''}`,
  ].join('\n                          ');

/** Lists all failed deliveries of an endpoint, page by page, as API clients do. */
async function failedOf(ports: Awaited<ReturnType<typeof connect>>, endpoint: string): Promise<Failed[]> {
  const failed: Failed[] = [];
  let cursor: string | undefined;
  do {
    const page = await webhooks(ports, { endpoint, limit: String(webhookListLimits.page.max), cursor });
    failed.push(...page.webhooks.map((one) => ({ endpoint, ...one })));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return failed;
}

async function list(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options });
  const ports = await connect(values);
  const ids = values.endpoint === undefined ? (await ports.endpoints.list()).map(({ id }) => id) : [values.endpoint];
  const lists: Failed[][] = [];
  for (const id of ids) lists.push(await failedOf(ports, id));
  const failed = lists.flat().sort((a, b) => b.failedAt.localeCompare(a.failedAt));
  console.log(
    values.json
      ? JSON.stringify(failed)
      : failed.map(failedLine).join('\n') || 'There are no failed deliveries to send again.',
  );
}

async function sendAgain(args: string[]): Promise<void> {
  const more = { job: { type: 'string' }, completion: { type: 'string' } } as const;
  const { values } = parseArgs({ args, options: { ...options, ...more } });
  const endpoint = required('--endpoint', values.endpoint);
  const id = required('--job', values.job);
  const resent = await resend(await connect(values), { endpoint, id, completion: values.completion });
  const sentence = `${resent.webhookId} will be sent again. \`GET /${endpoint}/status/${id}\` shows its state.`;
  console.log(values.json ? JSON.stringify(resent) : sentence);
}

const verbs = new Map([
  ['secret', secret],
  ['list', list],
  ['resend', sendAgain],
]);

await runVerb(verbs, HELP, process.argv.slice(2));
