/** Tests how the figures of the peers are calculated and shown. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { readPrices } from '../../../../lib/prices/prices.ts';
import { PausingClock } from '../../../../test/support/pausing-clock.ts';
import { parseState } from '../processes.ts';
import { samplePrice } from './dollars.ts';
import { type Execution, lossesOf, unfinished } from './executions.ts';
import { measure } from './load.ts';
import type { Outcome, Running } from './peer.ts';
import { memoryOf, processorSeconds, secondsIn } from './processes.ts';
import { type Row, render, withRatio } from './table.ts';

const started = (job: string, pid = 1): Execution => ({ job, event: 'start', pid });
const performed = (job: string, pid = 1): Execution[] => [started(job, pid), { job, event: 'effect', pid }];

describe('the losses of a kill', () => {
  const losses = (outcome: Outcome, ...executions: Execution[]) => {
    const { lost, doubled, stuck } = lossesOf(new Map([['a', outcome]]), executions);
    return { lost, doubled, stuck };
  };

  it('are zero if each job had its effect once', () => {
    expect(losses('done', ...performed('a'))).toEqual({ lost: 0, doubled: 0, stuck: 0 });
  });

  it('do not include a job that a killed worker had started, and another worker performed', () => {
    expect(losses('done', started('a', 1), ...performed('a', 2))).toEqual({ lost: 0, doubled: 0, stuck: 0 });
  });

  it('count a job that had its effect twice as doubled', () => {
    expect(losses('done', ...performed('a', 1), ...performed('a', 2))).toEqual({ lost: 0, doubled: 1, stuck: 0 });
  });

  it.each<Outcome>(['failed', 'unknown'])('count a job that is %s as lost', (outcome) => {
    expect(losses(outcome, ...performed('a'))).toEqual({ lost: 1, doubled: 0, stuck: 0 });
  });

  it('count a job that is done without its effect as lost', () => {
    expect(losses('done', started('a'))).toEqual({ lost: 1, doubled: 0, stuck: 0 });
  });

  it('count a job that waits at the time limit as stuck', () => {
    expect(losses('waiting', started('a'))).toEqual({ lost: 0, doubled: 0, stuck: 1 });
  });

  it('ignore jobs that were not acknowledged', () => {
    expect(losses('done', ...performed('a'), ...performed('b'), ...performed('b'))).toMatchObject({ doubled: 0 });
  });
});

describe('the list of processes that run a job', () => {
  it('has those with a start and no effect, newest first', () => {
    expect(unfinished([started('a', 1), ...performed('b', 2), started('c', 3)])).toEqual([3, 1]);
  });
});

describe('the processor time', () => {
  it('includes that of children that have ended', () => {
    const text = '7 (a (strange) name) S 3 7 7 0 -1 4194560 1 2 3 4 100 20 30 4 20 0 1 0 99';
    expect(parseState(text)).toMatchObject({ parent: 3, state: 'S' });
    expect(secondsIn(parseState(text))).toBe(1.54);
  });

  it('includes that of children that run', async () => {
    const before = processorSeconds([process.pid]);
    const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    try {
      while (processorSeconds([child.pid ?? 0]) < 0.5) await delay(50);
      expect(processorSeconds([process.pid]) - before).toBeGreaterThanOrEqual(0.5);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe('the memory', () => {
  it('is at most as large if shared pages are divided', () => {
    const { rss, pss } = memoryOf([process.pid]);
    expect(rss).toBeGreaterThan(30);
    expect(pss).toBeGreaterThan(0);
    expect(pss).toBeLessThanOrEqual(rss);
  });
});

describe('the load', () => {
  it('submits and polls every job, and a refused request again', async () => {
    let submitted = 0;
    const polls = new Map<string, number>();
    const peer: Running = {
      pids: () => [process.pid],
      async submit() {
        submitted += 1;
        if (submitted % 10 === 0) throw new Error('The client sends too many requests.');
        return String(submitted);
      },
      async outcome(id) {
        const count = (polls.get(id) ?? 0) + 1;
        polls.set(id, count);
        return count === 2 ? 'done' : 'waiting';
      },
      parts: {},
      stop: async () => undefined,
    };
    const clock = new PausingClock(0);
    const { jobsPerSecond, p50, p99 } = await clock.run(measure(peer, 40, clock));
    // 30 jobs warm the peer up.
    expect([...polls.values()]).toEqual(Array.from({ length: 70 }, () => 2));
    // Two polls, after 5 and 10 ms, and a pause of 100 ms after a refusal.
    expect({ p50, p99 }).toEqual({ p50: 15, p99: 115 });
    // The client that ends last runs 6 jobs, one of which is refused once.
    expect(jobsPerSecond).toBeCloseTo(40 / 0.19);
  });
});

describe('the price of the AWS sample', () => {
  it('is that of one request, its polls, and the calls of its worker', () => {
    const price = (value: number) => ({ price: value, date: '2026-01-01', source: 'test' });
    const prices = readPrices();
    const { perMillion } = prices;
    const units = { apiGatewayRequest: price(1), sqsRequest: price(10), writeUnit: price(100), readUnit: price(1_000) };
    const api = { SendMessage: { calls: 10, units: 0 }, GetItem: { calls: 40, units: 20 } };
    const worker = {
      ReceiveMessage: { calls: 5, units: 0 },
      DeleteMessage: { calls: 10, units: 0 },
      PutItem: { calls: 10, units: 10 },
    };
    // 4 requests, 2.5 calls of SQS, 1 write unit, 3 reads of half a unit.
    expect(samplePrice(api, worker, { ...prices, perMillion: { ...perMillion, ...units } })).toBe(4 + 25 + 100 + 1_500);
  });
});

describe('a ratio', () => {
  it.each([
    [50, 25, 0, '50 (2.00 x)'],
    [520, 25, 1, '520.0 (21 x)'],
    [1, 208, 0, '1 (0.0048 x)'],
    [1, undefined, 0, '1'],
  ])('of %s to %s is shown', (value, base, digits, text) => {
    expect(withRatio(value, base, digits)).toBe(text);
  });
});

describe('the table', () => {
  const figures = { jobsPerSecond: 30, secondsPer1000: 15, memory: { rss: 500, pss: 400 }, p50: 100, p99: 200 };
  const kill = { part: 'worker', acknowledged: 30, lost: 1, doubled: 2, stuck: 3, resubmitted: 4 };
  const rows: Row[] = [
    {
      title: 'first',
      settings: ['the defaults'],
      figures,
      dollars: 19.891,
      kills: [{ ...kill, stuck: 0, seconds: 12 }],
    },
    { title: 'second', settings: [], figures: { ...figures, jobsPerSecond: 60 }, kills: [kill] },
    { title: 'third', settings: [], absent: 'redis-server is missing.', kills: [] },
  ];
  const text = render(rows, { date: '2026-11-26', jobs: 300, processors: 2, load: 0.25 });

  it('shows the figures with their ratios to the first row', () => {
    expect(text).toMatch(/^\| first +\| +30\.0 \(1\.00 x\) \| +15\.00 \(1\.00 x\) \|.*\| +19\.89 \|$/m);
    expect(text).toMatch(/^\| second +\| +60\.0 \(2\.00 x\)/m);
  });

  it('shows how busy the machine was', () => {
    expect(text).toContain('2 processors and a load of 0.3 before the run: 300 jobs');
  });

  it('shows the losses of each kill', () => {
    expect(text).toMatch(/^\| first +\| worker +\| +30 \| +1 \| +2 \| +0 \| +4 \| +12\.0 s \|$/m);
    expect(text).toMatch(/^\| second +\| worker +\| +30 \| +1 \| +2 \| +3 \| +4 \| +never \|$/m);
  });

  it('says why a peer was not measured', () => {
    expect(text).toContain('Not measured: third. redis-server is missing.');
    expect(text).toMatch(/^\| third +\| +not measured/m);
  });

  it('has no line of prose with more than 120 columns', () => {
    const prose = text.split('\n').filter((line) => !line.startsWith('|'));
    expect(prose.filter((line) => line.length > 120)).toEqual([]);
  });
});

describe('the packages of the peers', () => {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  const { dependencies } = read('packages/lab/bench/peers/package.json') as { dependencies: Record<string, string> };
  const { packages } = read('packages/lab/bench/peers/package-lock.json') as {
    packages: Record<string, { version?: string; license?: string; integrity?: string; inBundle?: boolean }>;
  };

  it('are pinned, and none is a dependency of the product', () => {
    const product = read('package.json');
    for (const [name, version] of Object.entries(dependencies)) {
      expect(packages[`node_modules/${name}`]?.version).toBe(version);
      expect({ ...product.dependencies, ...product.devDependencies }).not.toHaveProperty([name]);
    }
  });

  it('have licenses that ask for no source, and an integrity each', () => {
    const allowed = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'Python-2.0'];
    const installed = Object.entries(packages).filter(([path]) => path !== '');
    expect(installed.length).toBeGreaterThan(50);
    expect(installed.filter(([, { license = '' }]) => !allowed.includes(license))).toEqual([]);
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  });
});
