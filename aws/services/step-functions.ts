/** The operation of Step Functions that this project uses. */
import type * as sdk from '@aws-sdk/client-sfn';
import { hostNamed, isForGovernment } from './configuration.ts';
import { jsonCommandOf } from './json-operation.ts';
import { ServiceClient } from './service-client.ts';

export class StateMachineClient extends ServiceClient {
  constructor() {
    super({
      serviceId: 'SFN',
      signingName: 'states',
      timeouts: 'services',
      hostOf: hostNamed('states', ({ region, isFips, isDualStack }) =>
        isForGovernment(region) ? isDualStack : isFips,
      ),
    });
  }
}

export class StartExecutionCommand extends jsonCommandOf<
  sdk.StartExecutionCommandInput,
  Omit<sdk.StartExecutionCommandOutput, '$metadata'>
>({ target: 'AWSStepFunctions', contentType: 'application/x-amz-json-1.0' }, { name: 'StartExecution' }) {}
