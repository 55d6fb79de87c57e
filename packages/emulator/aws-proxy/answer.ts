/** Handles every AWS call: verifies the caller, authorizes the call, performs it and logs it. */
import type { Permissions } from '../iam/permissions.ts';
import { AwsFault, sendFault } from './aws-fault.ts';
import type { Backend, Findings } from './call.ts';
import { readCaller } from './caller.ts';
import type { Exchange } from './forward.ts';
import { createJsonAnswering } from './json-call.ts';
import { createS3Answering } from './s3-call.ts';

export interface AnsweringOptions extends Backend {
  readonly permissions: Permissions;
  /** Prints a message for the user. */
  notify(text: string): void;
}

/**
 * Faults of the proxy that AWS would not return, or that an unexpected caller causes. Each message is printed for
 * the user once.
 */
const OWN_FAULTS = [
  'MissingAuthenticationToken',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'UnknownOperationException',
  'InternalFailure',
];

/** Services whose operations have no `x-amz-target`, and whose errors are JSON. */
const REST_WITH_JSON = ['apigateway', 'lambda'];

export function createAnswering(options: AnsweringOptions): (exchange: Exchange) => Promise<void> {
  const { permissions, log, notify } = options;
  const answerJson = createJsonAnswering(options);
  const answerS3 = createS3Answering(options);
  const notified = new Set<string>();

  async function answer(exchange: Exchange, findings: Findings): Promise<void> {
    const caller = readCaller(exchange.incoming.headers, permissions.roleNamed);
    findings.role = caller.role;
    findings.service = caller.service;
    await (caller.service === 's3' ? answerS3 : answerJson)({ ...exchange, caller, findings });
  }

  function fail({ incoming, outgoing }: Exchange, error: Error, findings: Findings): void {
    incoming.resume();
    if (outgoing.headersSent || outgoing.destroyed) {
      outgoing.destroy();
      return;
    }
    const fault = error instanceof AwsFault ? error : new AwsFault(500, 'InternalFailure', error.message);
    if (OWN_FAULTS.includes(fault.name) && !notified.has(fault.message)) {
      notified.add(fault.message);
      notify(`${fault.name}: ${fault.message}`);
    }
    findings.error = fault.name;
    const isJson = incoming.headers['x-amz-target'] !== undefined || REST_WITH_JSON.includes(findings.service ?? '');
    findings.responseBytes = sendFault(outgoing, fault, isJson);
  }

  return async (exchange) => {
    const begin = performance.now();
    const time = new Date().toISOString();
    const findings: Findings = {};
    try {
      await answer(exchange, findings);
    } catch (error) {
      fail(exchange, error as Error, findings);
    }
    const { outgoing } = exchange;
    log?.write({
      time,
      ...findings,
      status: outgoing.writableEnded ? outgoing.statusCode : 0,
      ms: Math.round((performance.now() - begin) * 100) / 100,
      requestBytes: findings.requestBytes ?? 0,
      responseBytes: findings.responseBytes ?? 0,
    });
  };
}
