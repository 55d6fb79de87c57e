/** Routes of the management interface for monitoring systems. */
import { it } from 'node:test';
import { expect } from 'expect';
import type { Suite } from '../suite.ts';

export function routesOfMonitoring({ askAt, target }: Suite): void {
  it('[route.metrics] returns the metrics of all endpoints in OpenMetrics, and in the format of Prometheus', async () => {
    const { status, headers, text } = await askAt('management', 'GET', '/metrics');
    expect([status, headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^application\/openmetrics-text; *version=1.0.0; *charset=utf-8$/),
    ]);
    expect(text).toContain(`gpu_endpoints_job_queue_depth{endpoint="${target.endpoint}",priority="normal"} `);
    expect(text.endsWith('\n# EOF\n')).toBe(true);
    const accepted = { Authorization: `Bearer ${target.key}`, Accept: 'text/plain' };
    const plain = await askAt('management', 'GET', '/metrics', { headers: accepted });
    expect(plain.headers.get('content-type')).toMatch(/^text\/plain; *version=0.0.4/);
    expect(plain.text).not.toContain('# EOF');
  });

  it('[route.metrics][errors.404] are not found if the key may not call the endpoint', async () => {
    const { status, json } = await askAt('management', 'GET', '/metrics?endpoint=No%20endpoint');
    expect([status, json.code]).toEqual([404, 'ENDPOINT_NOT_FOUND']);
  });

  it('[route.list-alarms] lists the alarms of the endpoint and of the deployment, with their runbook', async () => {
    const { status, json } = await askAt('management', 'GET', '/alarms');
    expect(status).toBe(200);
    const alarms = json.alarms as readonly Record<string, unknown>[];
    expect(alarms.find(({ name, endpoint }) => name === 'AlarmsWaiting' && endpoint === target.endpoint)).toMatchObject(
      {
        state: expect.stringMatching(/^(?:OK|ALARM|INSUFFICIENT_DATA)$/),
        since: expect.any(String),
        runbook: 'docs/guides/monitor.md#what-do-i-do-when-jobs-wait-too-long',
      },
    );
    expect(alarms.find(({ name }) => name === 'AlarmsSweeperSilent')).not.toHaveProperty('endpoint');
  });
}
