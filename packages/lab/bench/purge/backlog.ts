/** Fills a long queue with the service's own code, faster than clients may. */
import { type Ports, portsWith } from '../../../../aws/ports.ts';
import { createSecretPorts } from '../../../../aws/secret-ports.ts';
import type { Endpoint } from '../../../../core/endpoints/endpoint.ts';
import { run } from '../../../../core/submission/submit.ts';
import type { Service } from '../../../../test/support/service.ts';

const AT_ONCE = 32;

export interface Backlog {
  /** Maximum number of workers of the endpoint. */
  readonly workers: number;
  /**
   * Queues jobs.
   * @param onQueued called after each job with the number of queued jobs
   */
  add(count: number, onQueued: (count: number) => void): Promise<void>;
}

function tableName({ storage }: Pick<Service, 'storage'>, name: string): string {
  const names = Object.values(storage).map(String);
  const found = names.find((value) => value.startsWith(`Storage-${name}Table`));
  if (!found) throw new Error(`The storage stack has no output with the name of its table ${name}.`);
  return found;
}

/** Returns the ports, with an endpoint that accepts this many jobs. */
function withRoomFor(ports: Ports, jobs: number): Ports {
  const read = async (id: string): Promise<Endpoint | undefined> => {
    const endpoint = await ports.endpoints.read(id);
    return endpoint && { ...endpoint, maxWorkers: jobs };
  };
  return portsWith(ports, { endpoints: { ...ports.endpoints, read } });
}

export async function createBacklog(service: Service, endpoint: string): Promise<Backlog> {
  const tables = { JOBS_TABLE: 'Jobs', ENDPOINTS_TABLE: 'Endpoints', PAYLOADS_TABLE: 'Payloads' };
  const names = Object.entries(tables).map(([variable, name]) => [variable, tableName(service, name)]);
  Object.assign(process.env, service.awsEnvironment, Object.fromEntries(names));
  const ports = createSecretPorts();
  const found = await ports.endpoints.readNow(endpoint);
  if (!found) throw new Error(`There is no endpoint ${endpoint}.`);
  return {
    workers: found.maxWorkers,
    async add(count, onQueued) {
      const roomy = withRoomFor(ports, count);
      let begun = 0;
      let queued = 0;
      const submitter = async () => {
        while (begun < count) {
          begun += 1;
          await run(roomy, { endpoint, owner: 'bench', body: Buffer.from('{"input":{}}') });
          queued += 1;
          onQueued(queued);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, submitter));
    },
  };
}
