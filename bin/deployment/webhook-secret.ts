/** `gpu-endpoints webhooks secret`: shows and rotates the secrets that sign the webhooks of an endpoint. */
import type { Command } from 'commander';
import { systemClock } from '../../core/clock.ts';
import { deployed } from '../../core/endpoints/store.ts';
import { HOUR, SECOND, WEBHOOK_SECRET_CACHE, WEBHOOK_SECRET_OVERLAP } from '../../core/limits.ts';
import { isoTime } from '../../core/requests/time.ts';
import type { WebhookSecret } from '../../core/webhooks/signing.ts';
import { printJson } from '../client/print.ts';
import { withExample } from '../example.ts';
import { chosenBy, type DeploymentFlags, deploymentCommand } from './options.ts';
import { useOutputs } from './outputs.ts';

/** Loads the AWS SDK only when it is needed, because it loads slowly. Usage errors and the help do not need it. */
async function connect(flags: DeploymentFlags) {
  // `useOutputs` sets the environment from which the SDK's clients read their settings.
  const found = useOutputs(await chosenBy(flags), ['EndpointsTable', 'SecretsKey', 'SigningTable']);
  process.env.SECRETS_KEY = found.SecretsKey;
  const [{ createDocumentClient }, { createEndpoints }, { createWebhookSecrets }] = await Promise.all([
    import('../../aws/clients.ts'),
    import('../../aws/endpoints/endpoints.ts'),
    import('../../aws/webhooks/secrets.ts'),
  ]);
  const client = createDocumentClient();
  return {
    endpoints: createEndpoints(client, found.EndpointsTable, systemClock),
    secrets: createWebhookSecrets(client, found.SigningTable, systemClock),
  };
}

const shownOf = ({ secret, madeAt, until }: WebhookSecret) => ({
  secret,
  createdAt: isoTime(madeAt),
  ...(until !== undefined && { signsUntil: isoTime(until) }),
});

const lineOf = ({ secret, createdAt, signsUntil }: ReturnType<typeof shownOf>) =>
  `${secret}  created ${createdAt}${signsUntil === undefined ? '' : `; signs until ${signsUntil}`}`;

const action =
  (name: 'currentNow' | 'rotate') =>
  async (endpoint: string, flags: DeploymentFlags): Promise<void> => {
    const { endpoints, secrets } = await connect(flags);
    // Check the endpoint first, so that an unknown endpoint gets no secret.
    await deployed({ endpoints }, endpoint);
    const shown = (await secrets[name](endpoint)).map(shownOf);
    if (flags.json) printJson({ secrets: shown });
    else console.log(shown.map(lineOf).join('\n'));
  };

/** @param webhooks the command `webhooks` */
export function addWebhookSecret(webhooks: Command): void {
  const secret = withExample(
    webhooks.command('secret').description('show and rotate the secrets that sign webhooks, with AWS credentials'),
    'webhooks secret show chat',
  );
  const ofEndpoint = (name: string, description: string) =>
    secret.command(name).description(description).argument('<endpoint>', 'id of the endpoint');
  deploymentCommand(
    ofEndpoint('show', 'print the secrets that sign the webhooks of an endpoint, newest first'),
    'webhooks secret show echo',
    'If the endpoint has no secret, one is created.',
  ).action(action('currentNow'));
  deploymentCommand(
    ofEndpoint('rotate', 'create a new secret, and print all secrets that sign, newest first'),
    'webhooks secret rotate echo',
    `Within ${WEBHOOK_SECRET_CACHE / SECOND} seconds the new secret signs every delivery. An earlier secret also signs until ${WEBHOOK_SECRET_OVERLAP / HOUR} hours after it
was replaced.`,
  ).action(action('rotate'));
}
