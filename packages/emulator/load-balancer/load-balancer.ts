/** An Application Load Balancer in this process, whose listener forwards requests to targets. */
import { type ForwardedRequest, type ForwardedResponse, forward, ownAnswer } from './forward.ts';
import type { TargetGroup } from './target-group.ts';

export interface Listener {
  readonly port: number;
  /**
   * Forwards the request to a healthy target. The load balancer itself responds with 503 if no target is healthy,
   * 502 if the target cannot be reached or cuts the connection, and 504 after the idle timeout.
   * @returns as soon as the head of the response has arrived, even if the request is not fully sent
   */
  forward(request: ForwardedRequest): Promise<ForwardedResponse>;
}

export interface LoadBalancer {
  readonly arn: string;
  readonly dnsName: string;
  /** Milliseconds. */
  readonly idleTimeout: number;
  /** Listeners by port. */
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
