/** `gpu-endpoints releases`: lists the releases of an endpoint, and rolls back to one of them. */
import type { Command } from 'commander';
import type { NamedSummary } from '../../core/endpoints/release-summary.ts';
import { listLimits } from '../../core/limits.ts';
import type { EndpointDetails } from '../../core/management/read-endpoint.ts';
import type { ReleaseList } from '../../core/management/releases.ts';
import type { TemplateResponse } from '../../core/templates/response.ts';
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
      { head: 'WHY', text: ({ reason }) => reason, below: true },
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

const nameOf = ({ revision, template, version }: NamedSummary) =>
  revision === undefined ? `version ${version} of ${template}` : String(revision);

/**
 * Returns the revision of the release before the one that runs. While another release is in progress, it is the one
 * that runs.
 * @throws Error if there is none, or if the last release was rolled back already
 */
function defaultRevision(endpoint: string, { running }: EndpointDetails, all: readonly NamedSummary[]): number {
  const [last] = all;
  const isEarlier = ({ state, revision = 0 }: NamedSummary) =>
    state === 'SUPERSEDED' && revision < (running?.revision ?? Number.POSITIVE_INFINITY);
  const earlier = all.find(isEarlier)?.revision;
  if (running && last?.state === 'ROLLED_BACK') {
    const further =
      earlier === undefined
        ? 'there is no earlier one'
        : `to go further: npx gpu-endpoints releases rollback ${endpoint} ${earlier}`;
    throw new Error(`Release ${running.revision} already runs since the rollback of ${nameOf(last)}; ${further}`);
  }
  const revision = running && last?.state === 'IN_PROGRESS' ? running.revision : earlier;
  if (revision === undefined) throw new Error(`${endpoint} has no earlier release to which it can be rolled back.`);
  return revision;
}

/** @throws Error if the template can only be changed in its file, whatever releases there are */
async function chosenRevision(service: Service, endpoint: string): Promise<number> {
  const path = `/endpoints/${segment(endpoint)}`;
  const query = { limit: listLimits.page.max };
  const [details, { releases }] = await Promise.all([
    call<EndpointDetails>(service, 'management', 'GET', path),
    call<ReleaseList>(service, 'management', 'GET', `${path}/releases`, { query }),
  ]);
  const { id } = details.template;
  const { isPlatform } = await call<TemplateResponse>(service, 'management', 'GET', `/templates/${segment(id)}`);
  if (isPlatform) throw new Error(`Template ${id} is official: change its file in templates/ and deploy.`);
  return defaultRevision(endpoint, details, releases);
}

/** Returns the image of the newest version of the endpoint's template. */
async function imageOf(service: Service, endpoint: string): Promise<string | undefined> {
  const path = `/endpoints/${segment(endpoint)}`;
  return (await call<EndpointDetails>(service, 'management', 'GET', path)).image;
}

async function rollBack(endpoint: string, chosen: number | undefined, options: RollbackOptions): Promise<void> {
  const service = serviceOf(options);
  const revision = chosen ?? (await chosenRevision(service, endpoint));
  const before = options.json ? undefined : await imageOf(service, endpoint);
  const { reason } = options;
  const answer = await call<Rollback>(service, 'management', 'POST', `/endpoints/${segment(endpoint)}/rollback`, {
    body: { revision, ...(reason !== undefined && { reason }) },
  });
  if (options.json) return printJson(answer);
  const { restores, template, version } = answer;
  console.log(
    `${endpoint} rolls back to release ${restores.revision}: version ${version} of template ${template} has the settings of version ${restores.version}.`,
  );
  const after = await imageOf(service, endpoint);
  console.log(before === after ? `The image stays ${after}.` : `The image changes from ${before} to ${after}.`);
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
      .argument(
        '[release]',
        'number of the release (default: the one before that which runs; during a release, the one that runs)',
        wholeNumber(1, 2_147_483_647),
      )
      .option('--reason <text>', 'why, for the drift of fields that a file declares'),
    'POST /v1/endpoints/ENDPOINT/rollback',
    'releases rollback chat 7 --reason "Version 9 is slow"',
  ).action(rollBack);
}
