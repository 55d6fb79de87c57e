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
import { addChecks } from '../lib/deployment/checks.ts';
import { fromFolder, GpuEndpoints } from '../lib/gpu-endpoints.ts';
import { InvalidDeclarations } from '../lib/settings/declared-files.ts';
import { InvalidSetting } from '../lib/settings/settings.ts';
import { declarationsFolder, REFUSED } from './assembly/app-folder.ts';

try {
  // The file with the tree of all constructs has no reader here: the CDK CLI does not need it for a deployment.
  const app = new App({ autoSynth: false, treeMetadata: false });
  const environment = app.node.tryGetContext('environment');
  // The same construct as in a team's app, so that both deploy the same stacks.
  new GpuEndpoints(app, 'Gpu', fromFolder(declarationsFolder(), { environment }));
  addChecks(app);
  app.synth();
} catch (error) {
  if (!(error instanceof InvalidDeclarations || error instanceof InvalidSetting)) throw error;
  console.error(error.message);
  process.exitCode = REFUSED;
}
