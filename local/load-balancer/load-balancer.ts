/** An Application Load Balancer in this process: a listener takes a request and passes it on to a target. */
import { type ForwardedRequest, type ForwardedResponse, forward, ownAnswer } from './forward.ts';
import type { TargetGroup } from './target-group.ts';

export interface Listener {
  readonly port: number;
  /**
   * Passes the request on to a healthy target, and answers itself if that is not possible: 503 without a healthy target,
   * 502 if the target cannot be reached or cuts the connection, 504 after the idle timeout.
   * @returns as soon as the head of the response is there, be the body of the request sent or not
   */
  forward(request: ForwardedRequest): Promise<ForwardedResponse>;
}

export interface LoadBalancer {
  readonly arn: string;
  readonly dnsName: string;
  /** Milliseconds. */
  readonly idleTimeout: number;
  /** By their ports. */
  readonly listeners: Map<number, Listener>;
}

export function createListener(
  { idleTimeout }: Pick<LoadBalancer, 'idleTimeout'>,
  port: number,
  targetGroup: TargetGroup,
): Listener {
  return {
    port,
    async forward(request) {
      const target = targetGroup.choose();
      return target ? forward(target, request, { idleTimeout, port }) : ownAnswer(503);
    },
  };
}
