/** An app of a team in TypeScript: a network, a pool and an endpoint of its own, and a function that runs jobs. */
import { App, CfnOutput, Duration, Stack, Tags } from 'aws-cdk-lib';
import { LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { fromFolder, GpuEndpoints } from 'gpu-endpoints';

const app = new App();
Tags.of(app).add('team', 'vision');

const network = new Stack(app, 'Network');
const vpc = new Vpc(network, 'Vpc', { maxAzs: 2, natGateways: 1, restrictDefaultSecurityGroup: false });

const gpu = new GpuEndpoints(app, 'Gpu', { ...fromFolder('.'), vpc });
gpu.addEndpoint('caption', { image: 'team/caption:1.0', capacity: gpu.pool('nvidia'), gpus: 1, maxWorkers: 4 });
gpu.addPool('large', { kind: 'nvidia', instanceTypes: ['g6.xlarge'], maxInstances: 2 });
const shout = gpu.addEndpoint('shout', { image: 'gpu-endpoints/example-echo', volumeInGb: 0 });

const team = new Stack(app, 'Team');
const caller = new LambdaFunction(team, 'Caller', {
  code: Code.fromAsset('function'),
  handler: 'index.handler',
  runtime: Runtime.NODEJS_24_X,
  // A worker starts for the first job.
  timeout: Duration.seconds(29),
});
shout.grantInvoke(caller);
gpu.endpoint('echo').grantInvoke(caller);
const api = new RestApi(team, 'Api', { cloudWatchRole: false });
api.root.addResource('{endpoint}').addMethod('GET', new LambdaIntegration(caller));
new CfnOutput(team, 'CallerUrl', { value: api.url });
new CfnOutput(team, 'ShoutUrl', { value: shout.url });
