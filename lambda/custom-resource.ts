/** The one frame of all custom resources: CloudFormation waits for an answer at an address that comes with the event. */
import { Logger } from '@aws-lambda-powertools/logger';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';

const logger = new Logger();

/** What `Fn::GetAtt` gives of a resource. */
type Attributes = Readonly<Record<string, unknown>>;

/**
 * A handler that tells CloudFormation how `apply` went, and the attributes that it returns.
 * @param physicalId names the resource, by its attributes too if `apply` has returned some; under another name it is a
 * replacement, and the old one is deleted after it
 */
export function customResource(
  apply: (event: CloudFormationCustomResourceEvent) => Promise<Attributes | undefined>,
  physicalId: (event: CloudFormationCustomResourceEvent, attributes?: Attributes) => string,
) {
  return async (event: CloudFormationCustomResourceEvent): Promise<void> => {
    const outcome = await apply(event).then(
      (attributes) => ({ Status: 'SUCCESS', ...(attributes && { Data: attributes }) }),
      (error: unknown) => {
        logger.error('The custom resource failed.', { error });
        return { Status: 'FAILED', Reason: String(error) };
      },
    );
    const { StackId, RequestId, LogicalResourceId } = event;
    const PhysicalResourceId = physicalId(event, 'Data' in outcome ? outcome.Data : undefined);
    const answer = { ...outcome, PhysicalResourceId, StackId, RequestId, LogicalResourceId };
    // As bytes: a text would get a content type, for which the address is not signed.
    const response = await fetch(event.ResponseURL, { method: 'PUT', body: Buffer.from(JSON.stringify(answer)) });
    if (!response.ok) throw new Error(`CloudFormation's address answered ${response.status}.`);
  };
}
