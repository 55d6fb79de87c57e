/** `gpu-endpoints releases`: lists the releases of an endpoint, and rolls back to one of them. */
import type { Command } from 'commander';
import type { NamedSummary } from '../../core/endpoints/release-summary.ts';
import { listLimits } from '../../core/limits.ts';
import type { ReleaseList } from '../../core/management/releases.ts';
import { withExample } from '../example.ts';
import { call, segment } from './call.ts';
import { type CommonOptions, common, type PageOptions, paged, printNext, serviceOf, wholeNumber } from './options.ts';
import { ago, printJson, printTable } from './print.ts';
import type { Service } from './service.ts';

async function list(endpoint: string, options: PageOptions): Promise<void> {
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
  printNext(answer.nextCursor);
}

interface RollbackOptions extends CommonOptions {
  readonly reason?: string;
}

interface Rollback {
  readonly restores: { readonly revision: number; readonly version: number };
  readonly template: string;
  readonly version: number;
}

/** Returns the revision of the newest release that another one has replaced. */
async function earlierRevision(service: Service, endpoint: string): Promise<number> {
  const { releases } = await call<ReleaseList>(
    service,
    'management',
    'GET',
    `/endpoints/${segment(endpoint)}/releases`,
  );
  const revision = releases.find(({ state }) => state === 'SUPERSEDED')?.revision;
  if (revision === undefined) throw new Error(`${endpoint} has no earlier release to which it can be rolled back.`);
  return revision;
}

async function rollBack(endpoint: string, chosen: number | undefined, options: RollbackOptions): Promise<void> {
  const service = serviceOf(options);
  const revision = chosen ?? (await earlierRevision(service, endpoint));
  const { reason } = options;
  const answer = await call<Rollback>(service, 'management', 'POST', `/endpoints/${segment(endpoint)}/rollback`, {
    body: { revision, ...(reason !== undefined && { reason }) },
  });
  if (options.json) return printJson(answer);
  const { restores, template, version } = answer;
  console.log(
    `${endpoint} rolls back to release ${restores.revision}: version ${version} of template ${template} has the settings of version ${restores.version}.`,
  );
  console.log(`Its progress: npx gpu-endpoints releases ls ${endpoint}`);
}

export function addReleases(program: Command): void {
  const releases = withExample(
    program.command('releases').description('list the releases of an endpoint, and roll back to one'),
    'releases ls chat',
  );
  common(
    paged(
      releases
        .command('ls')
        .description('list the releases of an endpoint, newest first')
        .argument('<endpoint>', 'id of the endpoint'),
      'releases',
      listLimits.page.max,
      20,
    ),
    'GET /v1/endpoints/ENDPOINT/releases',
    'releases ls chat',
  ).action(list);
  common(
    releases
      .command('rollback')
      .description('give the template of an endpoint the settings of an earlier release, which rolls them out')
      .argument('<endpoint>', 'id of the endpoint')
      .argument('[release]', 'number of the release (default: the one before the last)', wholeNumber(1, 2_147_483_647))
      .option('--reason <text>', 'why, for the drift of fields that a file declares'),
    'POST /v1/endpoints/ENDPOINT/rollback',
    'releases rollback chat 7 --reason "Version 9 is slow"',
  ).action(rollBack);
}
