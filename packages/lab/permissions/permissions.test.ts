/**
 * Tests the permissions of the roles, and npm start's message for a refusal. `permissions.long.ts` tests the use
 * of all permissions. The same service shows that npm start takes the gateway's methods and rate limits from the
 * stacks.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '../../../bin/verify/client.ts';
import { sharedAssembly } from '../../../test/acceptance/assembly.ts';
import { changeTemplates, describeChangedTemplates } from '../../../test/acceptance/changed-template.ts';
import {
  call,
  eventually,
  type LocalService,
  newStateDir,
  startService,
  stopService,
} from '../../../test/acceptance/local-service.ts';
import { loggedFailure, withCauses } from '../../../test/contract/logged-failure.ts';
import { findings } from './findings.ts';
import { mergedGrants, readUsage } from './grants.ts';
import { removalsFrom } from './removals.ts';

const folder = newStateDir();
const usage = join(folder, 'permissions.json');
let service: LocalService;

/**
 * Starts stacks in which one role cannot read the health of an endpoint, and some methods and rate limits are
 * removed.
 */
beforeAll(async () => {
  const assembly = await sharedAssembly();
  const assemblies = { both: assembly, without: assembly };
  const removals = removalsFrom(assemblies, 'statement').filter(({ isUnused }) => !isUnused);
  const removal = removals.find(({ role }) => role === 'Platform/JobsHealth');
  if (!removal) throw new Error('Platform/JobsHealth has no permissions that the test can remove.');
  const changed = removal.apply(assemblies, join(folder, 'changed'));
  changeTemplates(changed.without);
  service = await startService(join(folder, 'state'), {
    args: ['--assembly', changed.without],
    env: { LOCAL_PERMISSIONS_FILE: usage },
  });
}, 120_000);
afterAll(() => stopService(service));

describe('each permission of a role', () => {
  it('has one reason, and each reason belongs to a granted permission', () => {
    const found = findings(mergedGrants(readUsage(usage)));
    const ofReasons = found.filter((finding) => !/: (?:was not used|is also granted by something else)$/.test(finding));
    expect(ofReasons).toEqual(
      ['workers table', 'endpoints table'].map(
        (table) => `Platform/JobsHealth dynamodb:Query ${table}: has a reason, but is not granted`,
      ),
    );
  });
});

describe('a call that a role may not make', () => {
  it('is printed once by npm start, with the role and the action', async () => {
    const url = `${service.JobApiUrl}/echo/health`;
    for (const _ of [1, 2])
      expect(await call(service, 'GET', url)).toMatchObject({ status: 500, json: { code: 'INTERNAL' } });
    const line =
      /AccessDenied: role Platform-JobsHealthRole\w{8} may not dynamodb:Query on arn:aws:dynamodb:\S+EndpointsTable\w{8}\n/g;
    await eventually('npm start prints the refusal', () => service.printed().match(line) ?? undefined);
    expect(service.printed().match(line)).toHaveLength(1);
  }, 120_000);

  it('is in the log of its function with its action and resource, which the response does not contain', async () => {
    const { text, json } = await call(service, 'GET', `${service.JobApiUrl}/echo/health`);
    expect(text).not.toMatch(/dynamodb|arn:/);
    expect(await loggedFailure(service.stateDir, String(json.requestId))).toMatch(
      /^AccessDeniedException: User: arn:aws:sts::\d+:assumed-role\/Platform-JobsHealthRole\w{8}\/\S+ is not authorized to perform: dynamodb:Query on resource: arn:aws:dynamodb:\S+EndpointsTable\w{8} because no identity-based policy allows the dynamodb:Query action$/,
    );
  }, 120_000);

  it('fails a test of the contract with its action and resource', async () => {
    const client = createClient({
      serverlessUrl: service.JobApiUrl,
      baseUrl: service.ManagementApiUrl,
      key: service.ApiKey,
      endpoint: 'echo',
    });
    const failure = await client.ask('GET', 'health').catch(({ message }: Error) => message);
    expect(await withCauses(service.stateDir, String(failure))).toMatch(
      /^GET \/echo\/health answered 500 INTERNAL\. .* is not authorized to perform: dynamodb:Query on resource: arn:/s,
    );
  }, 120_000);
});

describeChangedTemplates(() => service);
