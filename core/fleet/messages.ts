/**
 * Maps AWS's messages about workers that do not start to blockers. AWS can change its messages, so an unknown
 * message is shown unchanged, with the general blocker of its event.
 */
import type { Blocker } from '../endpoints/fleet-state.ts';

interface Meaning {
  readonly means: Blocker;
  readonly pattern: RegExp;
  /** Title of the page that documents the message. */
  readonly source: string;
}

const SERVICE_EVENTS = 'Amazon ECS service event messages (Developer Guide)';
const API_FAILURES = 'Amazon ECS API failure reasons (Developer Guide)';
const PULL = 'CannotPullContainer task errors in Amazon ECS (Developer Guide)';
const STOPPED = 'Amazon ECS stopped tasks error messages (Developer Guide)';
const EC2_ERRORS = 'Error codes for the Amazon EC2 API (API Reference)';
const SCALING = 'Troubleshoot issues in Amazon EC2 Auto Scaling (User Guide)';

/** Patterns in the order of their evaluation, because ECS messages can quote EC2 messages. */
const meanings: readonly Meaning[] = [
  { means: 'IMAGE_UNAVAILABLE', pattern: /\bCannotPull\w*Error/, source: PULL },
  { means: 'IMAGE_UNAVAILABLE', pattern: /unable to (?:retrieve|get) (?:ecr )?registry auth/i, source: STOPPED },
  { means: 'QUOTA', pattern: /reached (?:the|your) (?:limit|quota)/i, source: SERVICE_EVENTS },
  { means: 'QUOTA', pattern: /configuration is above your limit/i, source: SERVICE_EVENTS },
  {
    means: 'QUOTA',
    pattern: /(?:Vcpu|Instance|Spot|\bMaxSpotInstance\w*|Volume|IOPS)(?:Limit|Count)Exceeded/,
    source: EC2_ERRORS,
  },
  { means: 'QUOTA', pattern: /requested more (?:vCPU capacity|instances)/i, source: EC2_ERRORS },
  { means: 'QUOTA', pattern: /max spot instance count exceeded/i, source: EC2_ERRORS },
  { means: 'NO_CAPACITY', pattern: /capacity is unavailable/i, source: SERVICE_EVENTS },
  { means: 'NO_CAPACITY', pattern: /no container instances? /i, source: SERVICE_EVENTS },
  { means: 'NO_CAPACITY', pattern: /^(?:RESOURCE|AGENT|ATTRIBUTE|EMPTY)\b/, source: API_FAILURES },
  { means: 'NO_CAPACITY', pattern: /\bInsufficient\w*Capacity|UnfulfillableCapacity/, source: EC2_ERRORS },
  { means: 'NO_CAPACITY', pattern: /InsufficientFreeAddressesInSubnet/, source: EC2_ERRORS },
  { means: 'NO_CAPACITY', pattern: /not have sufficient (?:\S+ ){0,4}capacity|no spot capacity/i, source: SCALING },
];

/**
 * Returns whether ECS only reports that no instance has room. The event of the Auto Scaling group contains the
 * reason why no further instance starts, so that event takes precedence.
 */
export const lacksInstances = (message: string): boolean =>
  /^(?:RESOURCE:(?!FARGATE)|AGENT|ATTRIBUTE|EMPTY)|no container instances? /i.test(message);

/**
 * Returns the blocker that a message means.
 * @param otherwise the blocker for an unknown message
 */
export const meaningOf = (message: string, otherwise: Blocker): Blocker =>
  meanings.find((meaning) => meaning.pattern.test(message))?.means ?? otherwise;
