/** The operation of Step Functions that this project uses. */
import type * as sdk from '@aws-sdk/client-sfn';
import { jsonCommandOf } from './json-operation.ts';
import { hostNamed, isForGovernment, ServiceClient } from './service-client.ts';

export class StateMachineClient extends ServiceClient {
  constructor() {
    super({
      serviceId: 'SFN',
      signingName: 'states',
      timeouts: 'services',
      hasSmallInputs: true,
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
