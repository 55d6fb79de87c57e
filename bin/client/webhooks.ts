/** `gpu-endpoints webhooks ls` and `resend`: failed deliveries of webhooks. */
import type { Command } from 'commander';
import { webhookListLimits } from '../../core/limits.ts';
import type { FailedWebhook } from '../../core/webhooks/webhooks.ts';
import { withExample } from '../example.ts';
import { call, segment } from './call.ts';
import { nextSteps } from './next-steps.ts';
import { type CommonOptions, common, type PageOptions, paged, printNext, serviceOf, wholeNumber } from './options.ts';
import { ago, printJson, printTable } from './print.ts';

interface WebhookList {
  readonly webhooks: readonly FailedWebhook[];
  readonly nextCursor?: string;
}

async function list(endpoint: string, options: PageOptions): Promise<void> {
  const { limit, cursor } = options;
  const path = `/${segment(endpoint)}/webhooks`;
  const answer = await call<WebhookList>(serviceOf(options), 'jobs', 'GET', path, { query: { limit, cursor } });
  if (options.json) return printJson(answer);
  printTable<FailedWebhook>(
    [
      { head: 'JOB', text: ({ id }) => id },
      { head: 'FAILED', text: ({ failedAt }) => ago(failedAt), isNumber: true },
      { head: 'ATTEMPTS', text: ({ attempts }) => attempts, isNumber: true },
      { head: 'RECEIVER', text: ({ receiver }) => receiver, shrinks: 'end' },
      { head: 'ANSWERED', text: ({ lastStatus }) => lastStatus, isNumber: true },
      { head: 'WHY', text: ({ lastError }) => lastError, shrinks: 'end' },
    ],
    answer.webhooks,
    `${endpoint} has no failed deliveries.`,
  );
  printNext(answer.nextCursor);
}

interface ResendOptions extends CommonOptions {
  readonly job: string;
  readonly completion?: number;
}

async function resend(endpoint: string, options: ResendOptions): Promise<void> {
  const { job, completion } = options;
  const path = `/${segment(endpoint)}/webhooks/${segment(job)}/resend`;
  const query = { completion };
  const answer = await call<{ webhookId: string }>(serviceOf(options), 'jobs', 'POST', path, { query });
  if (options.json) printJson(answer);
  else console.log(`${answer.webhookId} will be sent again. Its state: ${nextSteps(options, endpoint, job).get}`);
}

export function addWebhooks(program: Command): Command {
  const webhooks = withExample(
    program.command('webhooks').description('list and repeat failed deliveries of webhooks'),
    'webhooks ls chat',
  );
  const { max } = webhookListLimits.page;
  const ofEndpoint = (command: Command) => command.argument('<endpoint>', 'id of the endpoint');
  common(
    paged(
      ofEndpoint(
        webhooks.command('ls').description('list deliveries that failed and were not sent again, newest first'),
      ),
      'deliveries',
      max,
      max,
    ),
    'GET /v2/ENDPOINT/webhooks',
    'webhooks ls chat',
  ).action(list);
  common(
    ofEndpoint(
      webhooks
        .command('resend')
        .description('send a failed delivery again, with up to three more attempts')
        .requiredOption('--job <job>', 'id of the job')
        .option(
          '--completion <number>',
          'retries of the job before the webhook (default: that of the last webhook)',
          wholeNumber(0, 1_000_000),
        ),
    ),
    'POST /v2/ENDPOINT/webhooks/JOB/resend',
    'webhooks resend chat --job JOB_ID',
  ).action(resend);
  return webhooks;
}
