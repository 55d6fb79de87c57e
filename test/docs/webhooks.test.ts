/** Tests the receivers in `docs/tutorials/webhooks.md`, with the public libraries that they use. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { MINUTE, WEBHOOK_SECRET_OVERLAP } from '../../core/limits.ts';
import { activeSecrets, newWebhookSecret, rotateSecrets, sign } from '../../core/webhooks/signing.ts';
import { createWebhookClient } from '../../lambda/webhooks/egress/post.ts';
import { freePort } from '../../packages/emulator/network/ports.ts';
import { eventually } from '../acceptance/local-service.ts';
import { hasPython, pythonWith } from '../acceptance/workers/python.ts';

const page = readFileSync('docs/tutorials/webhooks.md', 'utf8');
/** Returns the block that the reader saves as a file, which begins with the name of the file. */
const fileOn = (name: string) =>
  new RegExp(`^\`\`\`\\w+\\n((?:#|//) ${name}\\n.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? '';

const withPython = process.env.REQUIRE_PYTHON === '1' || hasPython();
const [inNode, inPython] = ['receiver.mjs', 'receiver.py'];
/** Each command takes the port as its last argument. */
const languages = [
  { name: 'Node.js', command: async () => [process.execPath, '--input-type=module', '-e', fileOn(inNode), inNode] },
  { name: 'Python', command: async () => [await pythonWith('standardwebhooks', '1.1.0'), '-c', fileOn(inPython)] },
].filter(({ name }) => name !== 'Python' || withPython);

const [secret, next] = [newWebhookSecret(randomBytes(32)), newWebhookSecret(randomBytes(32))];
const webhookClient = createWebhookClient({ allow: ['127.0.0.1'] });
const receivers: ChildProcess[] = [];
afterAll(() => {
  for (const receiver of receivers) receiver.kill();
});

/**
 * Starts a receiver with the secret.
 * @returns functions that send to it and read its output
 */
async function start([command = '', ...args]: readonly string[]) {
  const port = await freePort();
  const env = { ...process.env, WEBHOOK_SECRET: secret };
  const receiver = spawn(command, [...args, String(port)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  receivers.push(receiver);
  let printed = '';
  receiver.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const send = async (headers: Record<string, string>, body: string) => {
    const outcome = await webhookClient.post({ url: `http://127.0.0.1:${port}/jobs`, headers, body });
    return outcome.answered ? outcome.status : outcome.reason;
  };
  await eventually('the receiver answers', async () => (await send({}, 'ready?')) === 401 || undefined);
  return { send, printed: () => printed };
}

const body = '{"id":"job-1","status":"COMPLETED","output":{"é":12345678901234567890}}';
const signed = (id: string, secrets = [secret], timestamp = Date.now()) => sign({ id, timestamp, body, secrets });

describe.each(languages)('the receiver in $name', ({ command }) => {
  it(
    'accepts signed webhooks, handles each once, and refuses all other requests',
    async () => {
      const { send, printed } = await start(await command());
      expect(await send(signed('msg_1'), body)).toBe(200);
      expect(await send(signed('msg_1'), body)).toBe(200);
      const forged = [
        await send(signed('msg_2', [next]), body),
        await send(signed('msg_2'), body.replace('COMPLETED', 'FAILED')),
        await send(signed('msg_2', [secret], Date.now() - 6 * MINUTE), body),
        await send({ ...signed('msg_2'), 'webhook-id': 'msg_3' }, body),
      ];
      expect(forged).toEqual([401, 401, 401, 401]);

      // The receiver still has only the previous secret.
      const both = rotateSecrets(rotateSecrets([], secret, 0), next, Date.now());
      const at = (time: number) => activeSecrets(both, time).map((one) => one.secret);
      expect(await send(signed('msg_4', at(Date.now())), body)).toBe(200);
      expect(await send(signed('msg_5', at(Date.now() + WEBHOOK_SECRET_OVERLAP + MINUTE)), body)).toBe(401);
      const handled = () => printed().match(/^(?!Refused|Waiting).+\n/gm) ?? [];
      await eventually('both jobs are printed', () => handled().length > 2 || undefined);
      expect(handled()).toEqual([
        'Job job-1 is COMPLETED.\n',
        'msg_1 was handled before.\n',
        'Job job-1 is COMPLETED.\n',
      ]);
    },
    2 * MINUTE,
  );
});

it('is tested in Python if Python is installed', () => {
  if (!withPython) console.log('Python with the module venv is not installed, so the Python receiver is not tested.');
  expect(languages).toHaveLength(withPython ? 2 : 1);
});
