/** The CDK app of this repository, which `npx gpu-endpoints deploy` runs. */
import { App } from 'aws-cdk-lib';
import { fromFolder, GpuEndpoints } from 'gpu-endpoints';

const app = new App();
// `-c environment=NAME` selects environments/NAME.yaml.
const environment = app.node.tryGetContext('environment');

new GpuEndpoints(app, 'Gpu', fromFolder('.', { environment }));
