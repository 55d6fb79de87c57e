/**
 * Synthesizes the app with a second endpoint (`node synthesize.ts FOLDER`) in a separate process, because CDK
 * prints much.
 */
import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { readPools } from '../../../lib/capacity/pool-declaration.ts';
import { addStacks } from '../../../lib/deployment/deployment.ts';
import { readDeclarations } from '../../../lib/endpoints/declaration.ts';
import { readTemplates } from '../../../lib/templates/declaration.ts';
import { declared } from '../../../test/support/declared.ts';
import { BROKEN, FIRST, SECOND, SPARE } from './assemblies.ts';

/** One worker for each long job of the scenario at the second endpoint, and some for its short jobs. */
const WORKERS = { minWorkers: 4, maxWorkers: 6 };

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: Record<string, unknown> };
const endpoints = readDeclarations(declared);
const first = endpoints.find(({ id }) => id === FIRST);
if (!first) throw new Error(`The endpoint ${FIRST} does not exist.`);
// Every permission is used within the permissions boundary.
const app = new App({
  ...(process.argv[2] !== undefined && { outdir: process.argv[2] }),
  context: { ...context, permissionsBoundary: 'gpu-endpoints-boundary', 'bundles:kept': true },
});
const spare = { id: SPARE, name: 'Spare', imageName: 'registry.example/spare:1' };
const broken = { ...first, id: BROKEN, minWorkers: 1, image: 'registry.example/not-there:1', build: undefined };
addStacks(app, [...endpoints, { ...first, ...WORKERS, id: SECOND }, broken], {
  pools: readPools(declared),
  templates: [...readTemplates(declared), spare],
});
app.synth();
