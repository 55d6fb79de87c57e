/** `npm run webhooks`: the secrets that sign webhooks, of a deployed stack or of the local one. */
import { parseArgs } from 'node:util';
import { createDocumentClient } from '../aws/clients.ts';
import { createEndpoints } from '../aws/endpoints.ts';
import { createWebhookSecrets } from '../aws/webhook-secrets.ts';
import { systemClock } from '../core/clock.ts';
import { deployed } from '../core/endpoints/deployed.ts';
import { HOUR, SECOND, WEBHOOK_SECRET_CACHE, WEBHOOK_SECRET_OVERLAP } from '../core/limits.ts';
import type { WebhookSecret } from '../core/webhooks/secret.ts';
import { UsageError } from './key-arguments.ts';
import { outputsOf, type Place, placeOptions } from './place.ts';

const HELP = `Usage: npm run webhooks -- secret show --endpoint ID [options]
       npm run webhooks -- secret rotate --endpoint ID [options]

secret show prints the secrets by which deliveries of the endpoint are signed now, the newest first; the first is made
when somebody asks for it. secret rotate makes a new one and prints it: within ${WEBHOOK_SECRET_CACHE / SECOND} seconds every delivery is signed by
it, and for ${WEBHOOK_SECRET_OVERLAP / HOUR} hours more by the one before too. docs/webhooks.md tells how receivers verify.

  --endpoint ID      the endpoint
  --local            of \`npm start\`, while it runs
  --outputs FILE     what \`cdk deploy --outputs-file FILE\` wrote   (default: outputs.json)
  --json             print JSON and nothing else
`;

const { outputs, local } = placeOptions;
const options = { outputs, local, endpoint: { type: 'string' }, json: { type: 'boolean', default: false } } as const;

function endpointIn({ endpoint }: { readonly endpoint?: string }): string {
  if (!endpoint) throw new UsageError('--endpoint is missing: say the id of an endpoint.');
  return endpoint;
}

function connect(place: Place) {
  const { EndpointsTable, SigningTable, SecretsKey } = outputsOf(place, [
    'EndpointsTable',
    'SigningTable',
    'SecretsKey',
  ]);
  process.env.SECRETS_KEY = SecretsKey;
  const documents = createDocumentClient();
  return {
    endpoints: createEndpoints(documents, EndpointsTable, systemClock),
    webhookSecrets: createWebhookSecrets(documents, SigningTable, systemClock),
  };
}

const day = (time: number) => new Date(time).toISOString();

const lineOf = ({ secret, madeAt, until }: WebhookSecret) =>
  `${secret}  made ${day(madeAt)}${until === undefined ? '' : `; signs until ${day(until)}`}`;

async function secret(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [action, ...others] = positionals;
  if ((action !== 'show' && action !== 'rotate') || others.length > 0)
    throw new UsageError('secret takes show or rotate; --help tells more.');
  const id = endpointIn(values);
  const { endpoints, webhookSecrets } = connect(values);
  // For an endpoint that is not there none is made.
  await deployed({ endpoints }, id);
  const secrets = action === 'show' ? await webhookSecrets.currentNow(id) : await webhookSecrets.rotate(id);
  console.log(values.json ? JSON.stringify(secrets) : secrets.map(lineOf).join('\n'));
}

const commands = new Map([['secret', secret]]);

const [name, ...args] = process.argv.slice(2);
const command = commands.get(name ?? '');
if (command && !args.includes('--help')) {
  await command(args).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
} else {
  console.log(HELP);
  process.exitCode = name === undefined || args.includes('--help') || name === '--help' ? 0 : 1;
}
