/** Messages of AWS for workers that cannot start, with their sources and the blocker that clients see. */
import type { Blocker } from '../../core/endpoints/fleet-state.ts';

export interface Message {
  readonly text: string;
  /** The kind of event in which ECS or Auto Scaling reports the message. */
  readonly of: 'placement' | 'stop' | 'launch';
  readonly means: Blocker;
  /** A page of AWS with the message, or another page that quotes it. */
  readonly source: string;
}

const SERVICE_EVENTS = 'Amazon ECS Developer Guide, "Service event messages"';
const SERVICE_ACTIONS = 'Amazon ECS Developer Guide, "Amazon ECS service action events", example event';
const FAILURES = 'Amazon ECS Developer Guide, "API failure reasons"';
const PULL = 'Amazon ECS Developer Guide, "CannotPullContainer task errors"';
const STOPPED = 'Amazon ECS Developer Guide, "Stopped tasks error codes"';
const REGISTRY_LOGIN = 'github.com/aws-samples/keycloak-on-aws, issue 222';
const SCALING = 'Amazon EC2 Auto Scaling User Guide, "Troubleshooting Auto Scaling: Capacity Limits"';
const EC2 = 'Amazon EC2 API Reference, "Error codes", as they are quoted in public issues';
const GROUP = 'scaling activities of an Auto Scaling group with several instance types, as they are quoted in public';
const MANAGED = 'quoted in public from a service with a capacity provider of instances';

const row = (of: Message['of'], means: Blocker, source: string, text: string): Message => ({
  of,
  means,
  source,
  text,
});

export const messages: readonly Message[] = [
  row('placement', 'NO_CAPACITY', SERVICE_ACTIONS, 'RESOURCE:FARGATE'),
  row('placement', 'NO_CAPACITY', FAILURES, 'RESOURCE:GPU'),
  row('placement', 'NO_CAPACITY', FAILURES, 'RESOURCE:MEMORY'),
  row('placement', 'NO_CAPACITY', FAILURES, 'AGENT'),
  row(
    'placement',
    'NO_CAPACITY',
    SERVICE_EVENTS,
    'Capacity is unavailable at this time. Please try again later or in a different availability zone.',
  ),
  row('placement', 'NO_CAPACITY', SERVICE_EVENTS, 'No Container Instances were found in your capacity provider.'),
  row(
    'placement',
    'NO_CAPACITY',
    SERVICE_EVENTS,
    'no container instance met all of its requirements. The closest matching container-instance 1f2 has insufficient CPU units available.',
  ),
  row(
    'launch',
    'NO_CAPACITY',
    SCALING,
    'We currently do not have sufficient g5.xlarge capacity in the Availability Zone you requested (us-east-1c). Our system will be working on provisioning additional capacity. Launching EC2 instance failed.',
  ),
  row('placement', 'NO_CAPACITY', EC2, 'InsufficientInstanceCapacity: There is not enough capacity to fulfill it.'),
  row(
    'launch',
    'NO_CAPACITY',
    GROUP,
    'Could not launch Spot Instances. UnfulfillableCapacity - Unable to fulfill capacity due to your request configuration. Launching EC2 instance failed.',
  ),
  row(
    'launch',
    'QUOTA',
    GROUP,
    'Could not launch On-Demand Instances. VcpuLimitExceeded - You have requested more vCPU capacity than your current vCPU limit of 0 allows. Launching EC2 instance failed.',
  ),
  row(
    'launch',
    'QUOTA',
    GROUP,
    'Could not launch Spot Instances. MaxSpotInstanceCountExceeded - Max spot instance count exceeded. Launching EC2 instance failed.',
  ),
  row(
    'launch',
    'CANNOT_START',
    SCALING,
    'The requested configuration is currently not supported. Please check the documentation. Launching EC2 instance failed.',
  ),
  row('placement', 'QUOTA', SERVICE_EVENTS, "You've reached the limit on the number of tasks you can run concurrently"),
  row('placement', 'QUOTA', SERVICE_EVENTS, 'You’ve reached the limit on the number of vCPUs you can run concurrently'),
  row('placement', 'QUOTA', SERVICE_EVENTS, 'The requested CPU configuration is above your limit.'),
  row('placement', 'QUOTA', SERVICE_EVENTS, 'The requested MEMORY configuration is above your limit.'),
  row(
    'placement',
    'QUOTA',
    MANAGED,
    'ResourceInitializationError: Unable to launch instance(s) for capacity provider gpu-spot. MaxSpotInstanceCountExceeded: Max spot instance count exceeded. RequestId: 3495893a',
  ),
  row(
    'placement',
    'QUOTA',
    EC2,
    'VcpuLimitExceeded: You have requested more vCPU capacity than your current vCPU limit of 0 allows for the instance bucket that the specified instance type belongs to.',
  ),
  row(
    'launch',
    'QUOTA',
    EC2,
    'You have requested more instances (2) than your current instance limit of 1 allows for the specified instance type. Launching EC2 instance failed.',
  ),
  row(
    'launch',
    'QUOTA',
    EC2,
    "You've reached your quota for maximum Fleet Requests for this account. Launching EC2 instance failed.",
  ),
  row(
    'stop',
    'IMAGE_UNAVAILABLE',
    PULL,
    'CannotPullContainerError: API error (404): repository 111122223333.dkr.ecr.us-east-1.amazonaws.com/a/b not found',
  ),
  row(
    'stop',
    'IMAGE_UNAVAILABLE',
    PULL,
    'CannotPullContainerError: write /var/lib/docker/tmp/GetImageBlob111111111: no space left on device',
  ),
  row(
    'stop',
    'IMAGE_UNAVAILABLE',
    PULL,
    'CannotPullContainerError: ref pull has been retried 1 time(s): failed to copy: httpReaderSeeker: failed open: unexpected status code',
  ),
  row(
    'placement',
    'IMAGE_UNAVAILABLE',
    PULL,
    'CannotPullContainerError: pull image manifest has been retried 7 time(s): failed to resolve ref example/a:latest: not found.',
  ),
  row(
    'stop',
    'IMAGE_UNAVAILABLE',
    PULL,
    'CannotPullECRContainerError: AccessDeniedException: User: arn:aws:sts::111122223333:assumed-role/workers/1f2 is not authorized to perform: ecr:BatchGetImage on resource: arn:aws:ecr:us-east-1:111122223333:repository/a/b',
  ),
  row(
    'stop',
    'IMAGE_UNAVAILABLE',
    STOPPED,
    'ResourceInitializationError: unable to pull secrets or registry auth: execution resource retrieval failed: unable to retrieve ecr registry auth: service call has been retried 3 time(s)',
  ),
  row(
    'stop',
    'IMAGE_UNAVAILABLE',
    REGISTRY_LOGIN,
    'ResourceInitializationError: unable to pull secrets or registry auth: execution resource retrieval failed: unable to get registry auth from asm: service call has been retried 5 time(s): asm fetching secret from the service for',
  ),
  row(
    'stop',
    'CANNOT_START',
    STOPPED,
    'ResourceInitializationError: unable to pull secrets or registry auth: execution resource retrieval failed: unable to retrieve secret from asm',
  ),
  row('stop', 'CANNOT_START', STOPPED, 'CannotStartContainerError: failed to get container status: no such file'),
  row('stop', 'CANNOT_START', STOPPED, 'Timeout waiting for network interface provisioning to complete.'),
];
