/** Runs the ingress as a separate process, over the emulators of the tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { INTEGRATION_PATH, portVariables } from '../../../core/http/ingress.ts';
import { eventually } from '../../../test/acceptance/local-service.ts';
import { freePort } from '../../emulator/network/ports.ts';

export interface IngressProcess {
  /** Base address of requests that come from API Gateway, with the stage. */
  readonly url: string;
  /** Returns the maximum memory that the process has used (`VmHWM` of Linux), in bytes. */
  peak(): number;
  stop(): Promise<void>;
}

/** @param environment the environment of an emulated deployment */
export async function startIngressProcess(environment: NodeJS.ProcessEnv): Promise<IngressProcess> {
  const [gateway, direct] = [await freePort(), await freePort()];
  const ports = { [portVariables.gateway]: String(gateway), [portVariables.direct]: String(direct) };
  const names = { POWERTOOLS_SERVICE_NAME: 'gpu-endpoints', POWERTOOLS_METRICS_NAMESPACE: 'test/Platform' };
  const child = spawn(process.execPath, ['ingress/main.ts', '--host', '127.0.0.1'], {
    env: { ...environment, ...names, ...ports },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const health = `http://127.0.0.1:${gateway}/health`;
  await eventually('the ingress is healthy', async () => {
    if (child.exitCode !== null) throw new Error(`The ingress exited with ${child.exitCode}.`);
    const response = await fetch(health).catch(() => undefined);
    return response?.ok || undefined;
  });
  return {
    url: `http://127.0.0.1:${gateway}${INTEGRATION_PATH}`,
    peak() {
      const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      return Number(kilobytes) * 1_024;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
