/** Handles all custom resources: CloudFormation waits for a response at the URL in the event. */
import { Logger } from '@aws-lambda-powertools/logger';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';

const logger = new Logger();

/** The attributes that `Fn::GetAtt` returns. */
type Attributes = Readonly<Record<string, unknown>>;

/**
 * Creates a handler that reports the result of `apply`, with the attributes that `apply` returns, to CloudFormation.
 * @param physicalId returns the resource's name from the event and the attributes. If the name changes,
 * CloudFormation treats this as a replacement and then deletes the old resource
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
    // Sent as bytes, because a string would add a content type, which the URL's signature does not include.
    const response = await fetch(event.ResponseURL, { method: 'PUT', body: Buffer.from(JSON.stringify(answer)) });
    if (!response.ok) throw new Error(`CloudFormation answered the response with status ${response.status}.`);
  };
}
