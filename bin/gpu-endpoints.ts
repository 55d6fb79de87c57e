/**
 * The CDK app: everything that this repository deploys.
 *
 *     npx cdk deploy --all
 *     CDK_OUTDIR=cdk.out CDK_CONTEXT_JSON=<context of cdk.json> node bin/gpu-endpoints.ts    without the CLI
 */
import { App } from 'aws-cdk-lib';
import { readPools } from '../lib/capacity/pool-declaration.ts';
import { addChecks } from '../lib/checks.ts';
import { InvalidDeclarations } from '../lib/declared-files.ts';
import { addStacks } from '../lib/deployment.ts';
import { readDeclarations } from '../lib/endpoint-declaration.ts';
import { chosenEnvironment } from '../lib/environments.ts';
import { InvalidSetting } from '../lib/invalid-setting.ts';
import { readTemplates } from '../lib/template-declaration.ts';

try {
  const pools = readPools();
  const templates = readTemplates();
  const declarations = readDeclarations();
  // A look at the context of the command line: an app cannot get more of it later.
  const given = new App({ autoSynth: false, treeMetadata: false });
  const { settings, env } = chosenEnvironment(given);
  const app = new App({ postCliContext: settings });
  addStacks(app, declarations, { pools, templates, env });
  addChecks(app);
  app.synth();
} catch (error) {
  if (!(error instanceof InvalidDeclarations || error instanceof InvalidSetting)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
