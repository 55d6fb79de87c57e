import { Construct } from 'constructs';
import { managementOperations } from '../../core/operations/all.ts';
import type { OperationDefinition } from '../../core/operations/operation.ts';
import { templates as templateOperations } from '../../core/operations/templates.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import type { EndpointsTable, WorkersTable } from '../endpoints/tables.ts';
import type { HistoryTable } from '../history/table.ts';
import type { ArrivalsTable, JobsTable } from '../jobs/tables.ts';
import type { KeysTable } from '../keys/keys-table.ts';
import { type Access, createFunctions } from '../operations/functions.ts';
import type { ReleasesTable, TemplatesTable } from '../templates/tables.ts';
import { setDeclared, Templates } from '../templates/templates.ts';
import { grantVaultLookup } from '../templates/vault.ts';
import type { DeliveriesTable } from '../webhooks/tables.ts';
import { grantWorkerLogs } from '../workers/logs.ts';
import { grantAlarms } from './alarms.ts';

export interface ManagementProps {
  readonly deliveries: DeliveriesTable;
  readonly keys: KeysTable;
  readonly jobs: JobsTable;
  readonly history: HistoryTable;
  readonly arrivals: ArrivalsTable;
  readonly endpoints: EndpointsTable;
  readonly workers: WorkersTable;
  readonly templates: TemplatesTable;
  readonly releases: ReleasesTable;
}

type ManagementOperation = keyof typeof managementOperations;

/** The operations of the management interface, except those of templates. */
type OwnOperation = Exclude<ManagementOperation, keyof typeof templateOperations>;

const own = Object.fromEntries(
  Object.entries(managementOperations).filter(([name]) => !(name in templateOperations)),
) as Record<OwnOperation, OperationDefinition>;

/** When the endpoints are listed with what happened on them lately. */
const ASKED = 'only if the request asks for it.';

const readsEndpoint = 'Reads the endpoint of the request.';

/** The operations of the management interface, each with its function and the access that it needs. */
export class Management extends Construct {
  readonly functions: Readonly<Record<ManagementOperation, ServiceFunction>>;

  constructor(scope: Construct, id: string, props: ManagementProps) {
    super(scope, id);
    const { deliveries, keys, jobs, history, arrivals, endpoints, workers, templates, releases } = props;
    const functions = createFunctions(this, own);

    const access: Access<OwnOperation> = {
      endpoints(grantee) {
        endpoints.grantList(grantee, 'Lists the endpoints.');
        workers.grantList(grantee, 'Counts the workers of each endpoint by their leases.');
        templates.grantRead(grantee, 'Reads the template of each endpoint.');
        history.grantReadSums(grantee, {
          reason: 'Reads the sums of the last day of each endpoint.',
          sometimes: ASKED,
        });
        deliveries.grantCount(grantee, { reason: 'Counts the webhooks that failed lately.', sometimes: ASKED });
      },
      'read-endpoint'(grantee) {
        endpoints.grantRead(grantee, 'Reads the endpoint of the request, and its example inputs.');
        workers.grantList(grantee, 'Counts the workers of the endpoint by their leases.');
        templates.grantRead(grantee, 'Reads the template of the endpoint.');
      },
      releases(grantee) {
        endpoints.grantRead(grantee, readsEndpoint);
        releases.grantList(grantee);
      },
      rollback(grantee) {
        endpoints.grantRead(grantee, 'Reads the endpoint of the request, and what it supports.');
        releases.grantRead(grantee, 'Reads the template and the version of the release.');
        templates.grantRestore(grantee);
        grantVaultLookup(grantee, 'Checks whether the secrets of the release exist, without permission to read them.');
        setDeclared(grantee);
        history.grantAdd(grantee, 'Stores who changed the template, for the events of the endpoint.');
      },
      resume(grantee) {
        history.grantAdd(grantee, 'Stores who called the operation, for the events of the endpoint.');
        endpoints.grantRead(grantee, readsEndpoint);
        endpoints.grantUpdate(grantee, 'Removes the state of failed workers and of a release that was rolled back.');
      },
      // The operations on keys have access to no other table.
      'list-keys': (grantee) => keys.grantList(grantee),
      'create-key': (grantee) => keys.grantCreate(grantee),
      'revoke-key': (grantee) => keys.grantRevoke(grantee),
      workers(grantee) {
        endpoints.grantRead(grantee, readsEndpoint);
        workers.grantList(grantee, 'Lists the leases of the workers.');
        workers.grantReadStarts(grantee, 'Reads the start of each worker, to show its stages.');
        history.grantReadJobCounts(grantee);
        releases.grantRead(grantee, 'Reads which template version the revision of a worker was released with.');
      },
      'endpoint-logs'(grantee) {
        endpoints.grantRead(grantee, readsEndpoint);
        grantWorkerLogs(grantee);
      },
      'find-job'(grantee) {
        endpoints.grantList(grantee, 'Lists the endpoints, because the job can be in any of them.');
        endpoints.grantRead(grantee, 'Reads the endpoint of a waiting job, which a purge may have cancelled.');
        const searches =
          'Searches for the job in the endpoints that the caller may call, up to 100 in one read, because its id does not name the endpoint.';
        jobs.grantReadBatch(grantee, searches);
        jobs.grantFinalize(grantee, 'Finalizes a job that has expired or timed out, before the client sees it.');
      },
      'list-jobs'(grantee) {
        endpoints.grantList(grantee, 'Lists the endpoints, because a list of jobs can be of all of them.');
        history.grantRead(grantee, 'Lists the jobs that have ended.');
      },
      failures(grantee) {
        endpoints.grantRead(grantee, readsEndpoint);
        history.grantRead(grantee, 'Reads the jobs that have ended, to group the failures.');
      },
      'ended-workers'(grantee) {
        endpoints.grantRead(grantee, readsEndpoint);
        history.grantRead(grantee, 'Lists the workers that have stopped.');
        history.grantReadJobCounts(grantee);
      },
      series(grantee) {
        endpoints.grantRead(grantee, readsEndpoint);
        history.grantReadSums(grantee, 'Reads the sums of the endpoint by minute, hour and day.');
      },
      costs(grantee) {
        endpoints.grantList(grantee, 'Lists the endpoints, because costs can be of all of them.');
        history.grantReadSums(grantee, 'Reads the sums of the endpoints by minute, hour and day.');
      },
      metrics(grantee) {
        endpoints.grantList(grantee, 'Lists the endpoints, because metrics are of all of them.');
        history.grantReadTotals(grantee, 'Reads the totals of the endpoints, up to 100 in one read.');
        workers.grantList(grantee, 'Counts the workers of the endpoints by their leases.');
        arrivals.grantCount(grantee, {
          reason: 'Reads for how long the oldest job of an endpoint has waited.',
          sometimes: 'only if jobs wait.',
        });
      },
      'list-alarms': grantAlarms,
      events(grantee) {
        endpoints.grantRead(grantee, readsEndpoint);
        history.grantRead(grantee, 'Lists what changed on the endpoint.');
        releases.grantList(grantee);
      },
      // The authorizer passes the session on.
      session: () => undefined,
    };
    for (const name of Object.keys(access) as OwnOperation[]) access[name](functions[name]);

    this.functions = { ...functions, ...new Templates(this, 'Templates', props).functions };
  }
}
