import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../api/error.ts';
import { helpForWebhook, webhookHelp } from '../job/ends.ts';
import { readJob } from '../job/job.ts';
import { logLines, logPage, logTexts } from '../job/log-text.ts';

describe('the record of a job', () => {
  it('contains the output as it was sent', async () => {
    const text = '{"id":"j","status":"COMPLETED","delayTime":1,"output":{"n": 9007199254740993},"attempts":1}';
    expect(await readJob(text)).toEqual({
      id: 'j',
      status: 'COMPLETED',
      delayTime: 1,
      attempts: 1,
      output: '{"n": 9007199254740993}',
      text,
    });
  });

  it('is read as an error if the service failed after it had sent the status', async () => {
    const reading = readJob('  {"error":"The service failed.","code":"INTERNAL","requestId":"r"}');
    await expect(reading).rejects.toThrow(ApiError);
    await expect(reading).rejects.toMatchObject({ code: 'INTERNAL', requestId: 'r', status: 500 });
  });
});

describe('the help for a failed webhook', () => {
  it('explains the reason, with or without a sentence after it', () => {
    expect(helpForWebhook('CONNECT: The host does not accept connections.')).toBe(webhookHelp.CONNECT);
    expect(helpForWebhook('TLS')).toBe(webhookHelp.TLS);
    expect(helpForWebhook(undefined)).toBeUndefined();
  });
});

describe('the text of a log', () => {
  it('is read from a response, and filtered ignoring case', () => {
    const lines = ['Loading', 'Ready\nnow'].map((message) => ({
      time: '2026-01-02T03:04:05.678Z',
      source: 'worker',
      message,
    }));
    const { texts, nextCursor } = logPage(JSON.stringify({ id: 'j', lines, nextCursor: 'c' }));
    expect(nextCursor).toBe('c');
    expect(logLines(texts, '')).toEqual({
      count: 2,
      lines: ['03:04:05.678  worker  Loading', '03:04:05.678  worker  Ready', 'now'],
    });
    expect(logLines(texts, 'LOAD')).toEqual({ count: 1, lines: ['03:04:05.678  worker  Loading'] });
    expect(logLines(texts, 'no such line')).toEqual({ count: 0, lines: [] });
  });

  it('ends with the attempt whose log it is', () => {
    const lines = ['2026-01-02T03:04:05.000Z', '2026-01-02T03:04:07.000Z'].map((time) => ({
      time,
      source: 'worker',
      message: 'x',
    }));
    const text = JSON.stringify({ lines, nextCursor: 'c' });
    expect(logPage(text, Date.parse('2026-01-02T03:04:06Z'))).toEqual({ texts: ['03:04:05.000  worker  x'] });
    expect(logPage(text, Date.parse('2026-01-02T03:04:07Z')).nextCursor).toBe('c');
  });

  it('shows the time and container of a line and whether it was truncated', () => {
    const line = { chosenBy: 'TIME', message: 'Loading' } as const;
    expect(
      logTexts([
        { ...line, time: '2026-01-02T03:04:05.678Z', source: 'worker', truncated: true },
        { ...line, time: '2026-01-02T03:04:06.000Z', source: 'agent' },
      ]),
    ).toEqual(['03:04:05.678  worker  Loading … (truncated)', '03:04:06.000  agent   Loading']);
  });

  it.each([
    ['{"timestamp":"t","level":"INFO","message":"Job taken.","jobId":"j","holds":true}', 'Job taken.  holds=true'],
    ['{"level":"error","message":"No model","path":"/m"}', 'ERROR No model  path=/m'],
    ['{"message":"cut', '{"message":"cut'],
    ['{"step":1}', '{"step":1}'],
  ])('shows the message of the structured line %s', (message, text) => {
    const line = { chosenBy: 'TIME', time: '2026-01-02T03:04:05.678Z', source: 'worker', message } as const;
    expect(logTexts([line])).toEqual([`03:04:05.678  worker  ${text}`]);
  });
});
