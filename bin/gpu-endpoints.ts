/**
 * The CDK app: everything that this repository deploys.
 *
 *     npx cdk deploy --all
 *     CDK_OUTDIR=cdk.out CDK_CONTEXT_JSON=<context of cdk.json> node bin/gpu-endpoints.ts    without the CLI
 *
 * The variable `DECLARATIONS` names the folder with `endpoints/`, `capacity/`, `templates/` and `environments/`, which is
 * this repository by default.
 */
import { App } from 'aws-cdk-lib';
import { readPools } from '../lib/capacity/pool-declaration.ts';
import { addChecks } from '../lib/deployment/checks.ts';
import { addStacks } from '../lib/deployment/deployment.ts';
import { chosenEnvironment } from '../lib/deployment/environments.ts';
import { checkOverrides, readDeclarations } from '../lib/endpoints/declaration.ts';
import { InvalidDeclarations } from '../lib/settings/declared-files.ts';
import { InvalidSetting } from '../lib/settings/settings.ts';
import { readTemplates } from '../lib/templates/declaration.ts';
import { declarationsFolder } from './assembly/app-folder.ts';

try {
  const folder = declarationsFolder();
  const pools = readPools(folder);
  const templates = readTemplates(folder);
  // The file with the tree of all constructs has no reader here: the CDK CLI does not need it for a deployment.
  const app = new App({ autoSynth: false, treeMetadata: false });
  const { name, settings, env } = chosenEnvironment(app, folder);
  for (const [setting, value] of Object.entries(settings)) app.node.setContext(setting, value);
  const declarations = readDeclarations(folder, name);
  checkOverrides(folder);
  addStacks(app, declarations, { pools, templates, env });
  addChecks(app);
  app.synth();
} catch (error) {
  if (!(error instanceof InvalidDeclarations || error instanceof InvalidSetting)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
