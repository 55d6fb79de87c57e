/** Starts executions in a server that replaces Step Functions. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createExecutions } from '../../aws/executions.ts';
import { dropConnection, responseOf } from './small-aws.ts';
import { useSmallAws } from './use-small-aws.ts';

const ARN = 'arn:aws:states:us-east-1:000000000000:stateMachine:Expiry';
const started = responseOf(200, '{"executionArn":"arn","startDate":1}');

const aws = useSmallAws();

beforeEach(() => {
  process.env.MACHINE = ARN;
});

describe('the start of an execution', () => {
  it('sends the state machine and the input with a signature', async () => {
    aws.current.respond(started);
    await createExecutions('MACHINE').start([{ text: 'ü' }]);
    const [request] = aws.current.received;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'AWSStepFunctions.StartExecution',
        authorization: expect.stringContaining('/us-east-1/states/aws4_request, '),
      },
    });
    expect(JSON.parse(String(request?.body))).toEqual({ stateMachineArn: ARN, input: '[{"text":"ü"}]' });
  });

  it.each([
    ['is throttled', responseOf(400, '{"__type":"com.amazonaws.swf.service#ThrottlingException"}')],
    ['fails in AWS', responseOf(500, 'no JSON')],
    ['loses its connection', dropConnection],
  ])('is repeated if it %s', async (_, fault) => {
    aws.current.respond(fault, started);
    await createExecutions('MACHINE').start({});
    expect(aws.current.received).toHaveLength(2);
  });

  it('fails with the error of Step Functions', async () => {
    aws.current.respond(
      responseOf(400, '{"__type":"com.amazonaws.swf#StateMachineDoesNotExist","message":"No machine."}'),
    );
    await expect(createExecutions('MACHINE').start({})).rejects.toMatchObject({
      name: 'StateMachineDoesNotExist',
      message: 'No machine.',
      $fault: 'client',
    });
    expect(aws.current.received).toHaveLength(1);
  });

  it('fails if the environment names no state machine', async () => {
    delete process.env.MACHINE;
    await expect(createExecutions('MACHINE').start({})).rejects.toThrow('The environment variable MACHINE is not set.');
  });
});
