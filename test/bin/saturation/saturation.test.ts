/** Tests `npx gpu-endpoints saturation`: its options, its quotas, and the demands that it compares with them. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { readRecord } from '../../../bin/job-calls/record.ts';
import { createProgram } from '../../../bin/program.ts';
import { demands, ofEndpoints, ofWorkers, shardsOf } from '../../../bin/saturation/demands.ts';
import { ownLimits } from '../../../bin/saturation/design.ts';
import { documentOf } from '../../../bin/saturation/documented.ts';
import { costOf, type Kind, kinds, type Load } from '../../../bin/saturation/load.ts';
import { defaults, loadOf } from '../../../bin/saturation/options.ts';
import { parseQuotas, readQuotas } from '../../../bin/saturation/quotas.ts';
import { type Row, type Saturation, saturationOf } from '../../../bin/saturation/saturation.ts';
import { quotasPlace, render } from '../../../bin/saturation/table.ts';
import { readPrices } from '../../../lib/prices/prices.ts';
import { parseOutput } from '../command-output.ts';

const [recorded, prices, quotas] = [readRecord(), readPrices(), readQuotas()];

const load = (changes: Partial<Load> = {}): Load => ({ ...loadOf(defaults), ...changes });

const saturation = (changes: Partial<Load> = {}, own = quotas): Saturation => {
  const { kind } = load(changes);
  return saturationOf(load(changes), { cost: costOf(recorded, kind), prices }, own);
};

const rowOf = ({ rows }: Saturation, id: string): Row => {
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Error(`There is no row ${id}.`);
  return row;
};

describe('the quotas', () => {
  it('are all used, and each demand has a quota or a limit', () => {
    const limited = [...Object.keys(quotas), ...Object.keys(ownLimits)];
    expect(new Set(limited)).toEqual(new Set(Object.keys(demands)));
    expect(limited).toHaveLength(Object.keys(demands).length);
  });

  it('are all named in the help', () => {
    const { stdout } = spawnSync(process.execPath, ['bin/cli.ts', 'saturation', '--help'], { encoding: 'utf8' });
    const [, names = ''] = /^Quotas: (.*?)\n\n/ms.exec(stdout) ?? [];
    expect(names.split(/,\s+/)).toEqual(Object.keys(quotas));
  });

  it('cover each service that the record has', () => {
    const lines = [...Object.values(recorded.scenarios).flatMap((one) => one.lines), ...recorded.standing];
    const services = new Set(lines.map(({ target }) => serviceOf(target)));
    const covered = new Set(Object.values(quotas).map(({ service }) => service));
    expect([...services].filter((service) => !covered.has(service))).toEqual([]);
    expect(services).toEqual(new Set(['DynamoDB', 'SQS', 'S3', 'ECS']));
  });

  it.each([
    ['a:\n  service: S3\n', 'quotas.yaml: a.name: '],
    [quotaText({ source: 'https://example.com' }), 'quotas.yaml: a.source: '],
    [quotaText({ date: 'yesterday' }), 'quotas.yaml: a.date: '],
    [quotaText({ value: '-1' }), 'quotas.yaml: a.value: '],
  ])('refuse %j', (text, sentence) => {
    expect(() => parseQuotas(text)).toThrow(sentence);
  });

  it('have the values of the account, from which the invocations of Lambda follow', () => {
    const own = readQuotas(['gpuVcpus=64', 'lambdaConcurrency=5000']);
    expect([own.gpuVcpus?.value, own.lambdaConcurrency?.value, own.lambdaRequests?.value]).toEqual([64, 5_000, 50_000]);
    expect(quotas.gpuVcpus?.value).toBe(0);
  });
});

/** Returns the AWS service of a resource in the record. */
function serviceOf(target: string): string {
  if (target.endsWith('queue')) return 'SQS';
  if (target === 'bucket') return 'S3';
  return target === 'service' ? 'ECS' : 'DynamoDB';
}

function quotaText(changes: Readonly<Record<string, string>>): string {
  const source = 'https://docs.aws.amazon.com/a';
  const row = {
    service: 'S3',
    name: 'n',
    of: 'o',
    value: '1',
    adjustable: 'true',
    next: 'x',
    date: '2026-01-01',
    source,
  };
  return `a:\n${Object.entries({ ...row, ...changes })
    .map(([name, value]) => `  ${name}: ${value}\n`)
    .join('')}`;
}

describe('a demand', () => {
  it('is the requests of a job times the rate: 4 requests, 8 invocations and 3 writes', () => {
    const one = saturation({ jobsPerSecond: 1_000 });
    expect(rowOf(one, 'apiGatewayRequests')).toMatchObject({
      demand: 4_000,
      use: 0.4,
      reachedAt: expect.closeTo(2_500),
    });
    const { ledgerInvocations } = costOf(recorded, 'run');
    expect(ledgerInvocations).toBeGreaterThan(0);
    expect(rowOf(one, 'lambdaRequests').demand).toBeCloseTo(8_000 + 1_000 * ledgerInvocations);
    expect(rowOf(one, 'dynamodbTableWrites')).toMatchObject({ demand: 3_000, reachedAt: expect.closeTo(13_333.3, 0) });
  });

  it('is divided among the endpoints where a quota is for one endpoint', () => {
    const many = saturation({ jobsPerSecond: 1_000, endpoints: 50 });
    expect(rowOf(many, 'runRequests')).toMatchObject({ demand: 20, reachedAt: expect.closeTo(5_000) });
    expect(rowOf(many, 'statusRequests')).toMatchObject({ demand: 60, reachedAt: expect.closeTo(3_333.3, 0) });
    expect(rowOf(many, 'sqsInFlight').demand).toBe(20);
  });

  it('of a partition key is the row that each job adds to the history of its endpoint', () => {
    const { reachedAt = 0 } = rowOf(saturation({ endpoints: 1 }), 'dynamodbPartitionWrites');
    expect(reachedAt).toBeCloseTo(1_000, 0);
  });

  it('of workers is the rate times the running time, divided by the concurrency', () => {
    const one = saturation({ jobsPerSecond: 100, jobSeconds: 10, concurrency: 5, vcpus: 8, endpoints: 20 });
    expect([one.workers, rowOf(one, 'workers').demand, rowOf(one, 'gpuVcpus').demand]).toEqual([200, 10, 1_600]);
    const onFargate = saturation({ workers: 'cpu', vcpus: 1 });
    expect([rowOf(onFargate, 'fargateVcpus').demand, rowOf(onFargate, 'gpuVcpus').demand]).toEqual([100, 0]);
  });

  it('of webhooks and payloads exists only for jobs that have them', () => {
    expect(rowOf(saturation(), 'stepFunctionsStarts').demand).toBe(0);
    expect(rowOf(saturation({ kind: 'webhook' }), 'stepFunctionsStarts').demand).toBe(100);
    expect(rowOf(saturation({ kind: 'large', endpoints: 1 }), 's3Writes').demand).toBe(200);
    expect(rowOf(saturation({ secrets: true }), 'kmsRequests').demand).toBe(200);
  });

  it('of roles and stacks depends only on the number of endpoints', () => {
    const many = saturation({ endpoints: 1_000 });
    expect(rowOf(many, 'iamRoles')).toMatchObject({ demand: 2_063, use: 2.063 });
    expect(rowOf(many, 'iamRoles')).not.toHaveProperty('reachedAt');
    expect(many.first.endpoints?.id).toBe('iamRoles');
  });

  it.each(Object.keys(demands))(
    'of %s does not fall when there are more endpoints, or more jobs of a new table',
    (id) => {
      const small = rowOf(saturation({ endpoints: 20, jobsPerSecond: 10 }), id).demand;
      expect(rowOf(saturation({ endpoints: 20, jobsPerSecond: 500 }), id).demand).toBeGreaterThanOrEqual(small);
    },
  );
});

describe('the ledger', () => {
  const use = (endpoints: number, jobsPerSecond = 200) => rowOf(saturation({ endpoints, jobsPerSecond }), 'ledger').use;

  it('works longer for changes of more endpoints', () => {
    expect([use(1) < use(20), use(20) < use(1_000)]).toEqual([true, true]);
  });

  it('is the first limit of the service if a thousand endpoints are busy, and not if one is', () => {
    expect(saturation({ endpoints: 1_000 }).first.jobs?.id).toBe('ledger');
    expect(saturation({ endpoints: 1 }).first.jobs?.id).toBe('statusRequests');
  });

  it('has at least four shards, and one for each 1,000 writes a second', () => {
    const basis = { cost: costOf(recorded, 'run'), prices };
    expect(shardsOf(load({ jobsPerSecond: 1 }), basis)).toBe(4);
    expect(shardsOf(load({ jobsPerSecond: 10_000 }), basis)).toBe(30);
  });
});

describe('what is used up first', () => {
  it('is GPUs, of which a new account has none', () => {
    expect(saturation().first.workers).toMatchObject({ id: 'gpuVcpus', value: 0, use: Number.POSITIVE_INFINITY });
    expect(render(saturation(), false)).toContain('which is 0. Next step: request a higher quota');
  });

  it('is another quota after the first was raised', () => {
    const raised = saturation({ endpoints: 20 }, readQuotas(['lambdaConcurrency=1000000', 'gpuVcpus=100000']));
    expect(raised.first.jobs?.id).not.toBe('lambdaRequests');
    expect(raised.first.workers?.id).toBe('workers');
  });

  it('has a group for each demand', () => {
    const groups = Map.groupBy(saturation().rows, ({ group }) => group);
    expect(groups.get('workers')).toHaveLength(ofWorkers.length);
    expect(groups.get('endpoints')).toHaveLength(ofEndpoints.length);
  });

  it.each(Object.keys(kinds) as Kind[])('is known for jobs of the kind %s', (kind) => {
    expect(saturation({ kind }).first.jobs?.reachedAt).toBeGreaterThan(0);
  });
});

/** Runs the command in this process, and returns its error. */
async function refusalOf(args: readonly string[]): Promise<string> {
  let printed = '';
  const command = createProgram().commands.find((each) => each.name() === 'saturation');
  command?.exitOverride().configureOutput({ writeErr: (text) => (printed += text) });
  await expect(command?.parseAsync(args, { from: 'user' })).rejects.toMatchObject({ exitCode: 1 });
  return printed;
}

describe('the options', () => {
  it.each([
    [['--jobs-per-second', '0'], "argument '0' is invalid. It must be a number from 0.001 to 1000000."],
    [['--jobs-per-second', '1e3'], "argument '1e3' is invalid."],
    [['--endpoints', '1.5'], "argument '1.5' is invalid. It must be a whole number from 1 to 10000."],
    [['--concurrency', '101'], "argument '101' is invalid. It must be a whole number from 1 to 100."],
    [['--kind', 'runsync'], "argument 'runsync' is invalid. Allowed choices are run, webhook, large."],
    [['--workers', 'tpu'], "argument 'tpu' is invalid. Allowed choices are gpu, cpu."],
    [['--fast'], "unknown option '--fast'"],
  ])('refuse %j', async (args, sentence) => {
    expect(await refusalOf(args)).toContain(sentence);
  });

  it.each([
    ['lambda=1', "There is no quota 'lambda' for --quota; the quotas are apiGatewayRequests, "],
    ['gpuVcpus=many', "--quota gpuVcpus must be a whole number from 0 to 999999999999, got 'many'."],
    ['gpuVcpus', "got ''."],
  ])('refuse the quota %s', (change, sentence) => {
    expect(() => readQuotas([change])).toThrow(sentence);
  });
});

describe('gpu-endpoints saturation', () => {
  const command = (...args: string[]) =>
    spawnSync(process.execPath, ['bin/cli.ts', 'saturation', ...args], { encoding: 'utf8' });

  it('prints what is used up first, as text or as JSON', () => {
    const { stdout, status } = command('--jobs-per-second', '500', '--endpoints', '1000');
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining('500 jobs a second (43,200,000 a day) of 1000 endpoints'),
    ]);
    const json = parseOutput<Saturation>('saturation', command('--json').stdout);
    expect(json.rows).toHaveLength(Object.keys(demands).length);
  });

  it('refuses a bad value with its allowed range', () => {
    const { stderr, status } = command('--vcpus', '1000');
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("'--vcpus <number>' argument '1000' is invalid. It must be a number from 0.25 to 192."),
    ]);
  });

  it('has written the tables of docs/reference/quotas.md', () => {
    expect(quotasPlace.read()).toBe(documentOf().trim());
  });
});
