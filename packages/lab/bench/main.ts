/** `npm run bench -w packages/lab -- NAME`: runs one benchmark. Each has its own folder here, and its own `--help`. */
import { runCommand } from './command.ts';

interface Benchmark {
  /** What it measures, for the list of benchmarks. */
  readonly measures: string;
  readonly load: () => Promise<{ main: (args: readonly string[]) => Promise<void> }>;
}

const benchmarks: Readonly<Record<string, Benchmark>> = {
  calls: { measures: 'AWS calls and cost of a job, by scenario', load: () => import('./calls/main.ts') },
  cpu: { measures: 'processor time of a job, and latencies', load: () => import('./cpu/main.ts') },
  cold: { measures: 'import of each function in a new process', load: () => import('./cold/main.ts') },
  waits: { measures: 'load of clients that wait', load: () => import('./waiting-calls/main.ts') },
  memory: { measures: 'memory of the service during many jobs', load: () => import('./memory/main.ts') },
  streams: { measures: 'delay of streams', load: () => import('./streams/main.ts') },
  console: { measures: 'pages of the console in a browser', load: () => import('./console/main.ts') },
  growth: { measures: 'operations with long queues and many endpoints', load: () => import('./growth/main.ts') },
  purge: { measures: 'a purge of a long queue', load: () => import('./purge/main.ts') },
  crash: { measures: 'the replacement of a crashed worker', load: () => import('./crash/main.ts') },
  peers: { measures: 'the same jobs on other ways to run them', load: () => import('./peers/main.ts') },
};

const names = Object.keys(benchmarks);

const HELP = `Usage: npm run bench -w packages/lab -- NAME [options]

Runs one benchmark over the service that \`npm start\` runs. NAME is one of:

${names.map((name) => `  ${name.padEnd(10)} ${benchmarks[name]?.measures}`).join('\n')}

npm run bench -w packages/lab -- NAME --help prints the options of a benchmark. docs/explanation/performance.md explains
the figures.
`;

runCommand(async () => {
  const [name, ...args] = process.argv.slice(2);
  if (name === undefined || name === '--help') return void console.log(HELP);
  const benchmark = benchmarks[name];
  if (!benchmark) throw new Error(`There is no benchmark '${name}'; the benchmarks are ${names.join(', ')}.`);
  await (await benchmark.load()).main(args);
});
