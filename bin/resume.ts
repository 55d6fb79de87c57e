/** `npm run resume`: lets an endpoint that backs off start workers again, for a deployment or for `npm start`. */
import { createDocumentClient } from '../aws/clients.ts';
import { createEndpoints } from '../aws/endpoints/endpoints.ts';
import { systemClock } from '../core/clock.ts';
import { resume } from '../core/fleet/resume.ts';
import { MINUTE, SWEEP } from '../core/limits.ts';
import { deploymentOptions, useTable } from './deployment-outputs.ts';
import { printText, readArguments, runCommand } from './flags.ts';
import { UsageError } from './key-arguments.ts';

const HELP = `Usage: npm run resume -- ENDPOINT [options]

Clears the failures of the endpoint's workers. Within ${SWEEP / MINUTE} minute the endpoint again starts as many workers as its jobs
need. If its last release was rolled back, the release is retried. The command is not needed after a new release, or
after a worker of the endpoint became ready: both clear the failures too.

  --local            use the endpoint of \`npm start\`, while it runs
  --table TABLE      the endpoints table           (default: EndpointsTable of the outputs file)
  --outputs FILE     the file that \`cdk deploy --outputs-file FILE\` wrote   (default: outputs.json)
  --deployment NAME  the deployment, if the outputs file has several
  --help             print this help

Examples:
  npm run resume -- echo
  npm run resume -- echo --local
`;

async function main(): Promise<void> {
  const options = { ...deploymentOptions, help: { type: 'boolean', default: false } } as const;
  const { values, positionals } = readArguments('resume', options, process.argv.slice(2));
  if (values.help) return printText(HELP);
  const [endpoint, ...others] = positionals;
  if (!endpoint || others.length > 0)
    throw new UsageError('resume takes the id of one endpoint; --help shows the usage.');
  // `useTable` sets the environment from which the SDK's clients read their settings.
  const table = useTable(values, 'EndpointsTable');
  const endpoints = createEndpoints(createDocumentClient(), table, systemClock);
  const { condition, backOff } = await resume({ endpoints, clock: systemClock }, endpoint);
  const before = backOff ? `It had backed off: ${condition?.is}.` : 'It had not backed off.';
  console.log(`${endpoint} starts workers again. ${before}`);
}

runCommand(main);
