/** A small CDK app, which has nothing to do with this repository's: notes, and an index of their words. */
import { join } from 'node:path';
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { AttributeType, BillingMode, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Runtime, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Queue } from 'aws-cdk-lib/aws-sqs';

const stack = new Stack(new App(), 'Notes');

const notes = new Table(stack, 'Table', {
  partitionKey: { name: 'id', type: AttributeType.STRING },
  billingMode: BillingMode.PAY_PER_REQUEST,
  stream: StreamViewType.NEW_IMAGE,
});
const words = new Table(stack, 'Words', {
  partitionKey: { name: 'word', type: AttributeType.STRING },
  billingMode: BillingMode.PAY_PER_REQUEST,
});

const functionOf = (id: string, environment: Record<string, string>) =>
  new NodejsFunction(stack, id, {
    entry: join(import.meta.dirname, 'functions', `${id.toLowerCase()}.ts`),
    runtime: Runtime.NODEJS_24_X,
    environment,
  });

const api = functionOf('Api', { NOTES: notes.tableName, WORDS: words.tableName });
notes.grantReadWriteData(api);
words.grantReadData(api);

const index = functionOf('Index', { WORDS: words.tableName });
words.grantWriteData(index);
notes.grantStreamRead(index);
index.addEventSourceMapping('Notes', {
  eventSourceArn: notes.tableStreamArn ?? '',
  startingPosition: StartingPosition.TRIM_HORIZON,
  retryAttempts: 3,
  onFailure: new SqsDlq(new Queue(stack, 'Failures')),
});

const rest = new RestApi(stack, 'Rest', { cloudWatchRole: false });
const integration = new LambdaIntegration(api);
const collection = rest.root.addResource('notes');
collection.addMethod('POST', integration);
collection.addResource('{id}').addMethod('GET', integration);
rest.root.addResource('words').addResource('{word}').addMethod('GET', integration);

new CfnOutput(stack, 'Url', { value: rest.url });
