/** `gpu-endpoints releases`: lists the releases of an endpoint, and rolls back to one of them. */
import type { Command } from 'commander';
import type { NamedSummary } from '../../core/endpoints/release-summary.ts';
import { listLimits } from '../../core/limits.ts';
import type { ReleaseList } from '../../core/management/releases.ts';
import { call, segment } from './call.ts';
import { type CommonOptions, common, serviceOf, wholeNumber } from './options.ts';
import { ago, printJson, printTable } from './print.ts';

interface ListOptions extends CommonOptions {
  readonly limit: number;
  readonly cursor?: string;
}

async function list(endpoint: string, options: ListOptions): Promise<void> {
  const { limit, cursor } = options;
  const path = `/endpoints/${segment(endpoint)}/releases`;
  const answer = await call<ReleaseList>(serviceOf(options), 'management', 'GET', path, { query: { limit, cursor } });
  if (options.json) return printJson(answer);
  printTable<NamedSummary>(
    [
      { head: 'RELEASE', text: ({ revision }) => revision, isNumber: true },
      { head: 'STATE', text: ({ state }) => state },
      { head: 'TEMPLATE', text: ({ template, version }) => `${template} ${version}`, shrinks: 'end' },
      { head: 'STARTED', text: ({ startedAt }) => ago(startedAt), isNumber: true },
      { head: 'ENDED', text: ({ endedAt }) => ago(endedAt), isNumber: true },
      { head: 'WHY', text: ({ reason }) => reason, shrinks: 'end' },
    ],
    answer.releases,
    `${endpoint} has no releases.`,
  );
  if (answer.nextCursor !== undefined) console.error(`There are more: --cursor ${answer.nextCursor}`);
}

export function addReleases(program: Command): void {
  const releases = program.command('releases').description('list the releases of an endpoint');
  const { max } = listLimits.page;
  common(
    releases
      .command('ls')
      .description('list the releases of an endpoint, newest first')
      .argument('<endpoint>', 'id of the endpoint')
      .option('--limit <count>', 'most releases to list', wholeNumber(1, max), 20)
      .option('--cursor <cursor>', 'go on after an earlier list'),
    'GET /v1/endpoints/ENDPOINT/releases',
    'releases ls chat',
  ).action(list);
}
