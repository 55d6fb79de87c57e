import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { PostOutcome } from '../../../core/webhooks/store.ts';

/**
 * Calls a receiver on this machine from a separate process, because Node.js reads most of its environment at its
 * start.
 */
export async function postElsewhere(url: string, variables: Readonly<Record<string, string>>): Promise<PostOutcome> {
  const program = `
    const { createWebhookClient } = await import('./lambda/webhooks/egress/post.ts');
    const webhookClient = createWebhookClient({ allow: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] });
    console.log(JSON.stringify(await webhookClient.post({ url: '${url}', headers: {}, body: '{}' })));`;
  const env = { ...process.env, ...variables };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env });
  return JSON.parse(stdout) as PostOutcome;
}
