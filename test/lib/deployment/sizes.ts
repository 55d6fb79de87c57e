/** `npm run sizes`: how large the stacks are with the fewest and the most settings and endpoints. See `HELP`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SUFFIX } from '../../../bin/assembly/app.ts';
import { type Size, sizesOf } from '../../../bin/assembly/sizes.ts';
import { readFlags, runCommand } from '../../../bin/flags.ts';
import { readPools } from '../../../lib/capacity/pool-declaration.ts';
import { addChecks } from '../../../lib/deployment/checks.ts';
import { readDeclarations } from '../../../lib/endpoints/declaration.ts';
import { readTemplates } from '../../../lib/templates/declaration.ts';
import { declared } from '../../support/declared.ts';
import { createApp, declare, declarePool, type synthesizeWith } from '../synthesis.ts';
import { declarationsWith, sets } from './all-settings.ts';

const HELP = `Usage: npm run sizes -- [options]

Synthesizes the stacks of the example endpoints, of no declarations, of all settings, and of many endpoints on five
pools, with CDK's validation and the AWS Solutions rules. Prints the time of each synthesis, and the sizes of each stack
beside the limits of CloudFormation and IAM; of the stacks of endpoints, the largest sizes. Exits with 1 if a limit is
exceeded. \`npx gpu-endpoints validate\` does this for your own declarations.

  --endpoints NUMBER   number of endpoints on five pools. Default: 50
  --templates FOLDER   also write the templates, into a folder for each synthesis below this one; equal ones once
  --help               print this help

Examples:
  npm run sizes
  npm run sizes -- --templates dist/sizes && .ci/cfn-lint dist/sizes/*
`;

type Declarations = Readonly<Parameters<typeof synthesizeWith>>;

const pools = [
  declarePool('warm', { warmInstances: 2 }),
  declarePool('spot', { instanceTypes: ['g6.xlarge', 'g5.xlarge'], spot: true }),
  declarePool('large', { instanceTypes: ['g6.12xlarge'], diskInGb: 400 }),
  declarePool('local', { instanceTypes: ['g5.2xlarge'], disk: 'local' }),
  declarePool('amd', { kind: 'amd', instanceTypes: ['g4ad.xlarge'], image: 'ami-0123456789abcdef0' }),
];
const onPools = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    declare(`endpoint-${n + 1}`, { capacity: String(pools[n % pools.length]?.id) }),
  );

/** Returns what is synthesized, by its name. */
const variantsWith = (count: number): Readonly<Record<string, Declarations>> => ({
  // First, because the time of the first synthesis includes the loading of the code.
  'no settings and no declarations': [{}],
  'the example endpoints': [{}, readDeclarations(declared), readPools(declared), readTemplates(declared)],
  ...Object.fromEntries(
    Object.entries(sets).map(([name, settings]): [string, Declarations] => [name, declarationsWith(settings)]),
  ),
  [`${count} endpoints on five pools`]: [{}, onPools(count), pools],
});

const ENDPOINT = /^Endpoint-.*/;
const number = (value: number) => value.toLocaleString('en');
const shown = ({ what, size, limit }: Size) => `${number(size)} ${what} of ${number(limit)}`;

/** Returns a line for each stack, and one for the largest sizes of all stacks of endpoints. */
function linesOf(sizes: readonly Size[]): string[] {
  const stacks = Map.groupBy(sizes, ({ stack }) => stack.replace(ENDPOINT, 'Endpoint-ID'));
  return [...stacks].map(([stack, its]) => {
    const largest = [...Map.groupBy(its, ({ kind }) => kind).values()].map((those) =>
      those.reduce((max, one) => (one.size > max.size ? one : max)),
    );
    return `  ${stack}: ${largest.map(shown).join(', ')}`;
  });
}

interface Text {
  readonly id: string;
  /** The template as JSON. */
  readonly text: string;
}

/** The templates that are written already. */
const written = new Set<string>();

/** Writes the templates that no earlier synthesis has. */
function writeTemplates(folder: string, texts: readonly Text[]): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { id, text } of texts.filter(({ text }) => !written.has(text)))
    writeFileSync(join(folder, `${id}${SUFFIX}`), text);
  for (const { text } of texts) written.add(text);
}

function sizesWith(name: string, declarations: Declarations, templates: string | undefined): Size[] {
  const [settings, endpoints = [], ...others] = declarations;
  const outdir = mkdtempSync(join(tmpdir(), 'gpu-endpoints-sizes-'));
  try {
    const began = performance.now();
    const before = process.cpuUsage();
    const app = createApp(outdir, endpoints, settings, ...others);
    addChecks(app);
    const texts = app.synth().stacks.map(({ id, template }) => ({ id, text: JSON.stringify(template, undefined, 1) }));
    const { user, system } = process.cpuUsage(before);
    const [seconds, busy] = [(performance.now() - began) / 1e3, (user + system) / 1e6].map((time) => time.toFixed(1));
    const sizes = texts.flatMap(({ id, text }) => sizesOf(id, text));
    console.log(`${name}: ${texts.length} stacks, in ${seconds} s, ${busy} s of processor time`);
    console.log(`${linesOf(sizes).join('\n')}\n`);
    if (templates !== undefined) writeTemplates(resolve(templates, name.replaceAll(' ', '-')), texts);
    return sizes;
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

async function main(): Promise<void> {
  const options = {
    endpoints: { type: 'string', default: '50' },
    templates: { type: 'string' },
    help: { type: 'boolean', default: false },
  } as const;
  const { endpoints, templates, help } = readFlags('sizes', options, process.argv.slice(2));
  if (help) return void console.log(HELP);
  if (!/^[1-9]\d{0,3}$/.test(endpoints)) throw new Error(`--endpoints is ${endpoints}; it must be 1 to 9999.`);
  const variants = Object.entries(variantsWith(Number(endpoints)));
  const sizes = variants.flatMap(([name, declarations]) => sizesWith(name, declarations, templates));
  const problems = sizes.filter(({ size, limit }) => size > limit);
  for (const problem of problems) console.error(`${problem.stack}: ${shown(problem)}: too large`);
  if (problems.length > 0) process.exitCode = 1;
}

runCommand(main);
