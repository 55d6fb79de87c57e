import { describe, expect, it } from '@jest/globals';
import { JsonSyntaxError } from '../../json/syntax-error.ts';
import { type Answer, type Ask, createQueue } from '../../reading/queue.ts';
import { eventually } from '../service.ts';

interface FakeWorker {
  readonly asked: Ask[];
  isStopped: boolean;
  answer(answer: Answer): void;
  fail(reason?: string): void;
}

/** A queue over workers that answer only when the test does. */
function queueOver() {
  const workers: FakeWorker[] = [];
  const queue = createQueue((onAnswer, onFailure) => {
    const worker: FakeWorker = { asked: [], isStopped: false, answer: onAnswer, fail: onFailure };
    workers.push(worker);
    return {
      post: (ask) => worker.asked.push(ask),
      stop() {
        worker.isStopped = true;
      },
    };
  });
  const ask = (name: string, text = 'text', signal?: AbortSignal) => queue({ name, text, argument: name, signal });
  return { workers, ask };
}

const names = (worker: FakeWorker | undefined) => worker?.asked.map(({ name }) => name);

describe('the queue of the worker', () => {
  it('sends one request at a time, and a text only once', async () => {
    const { workers, ask } = queueOver();
    const answers = [ask('a'), ask('b'), ask('c', 'other')];
    const [worker] = workers;
    expect(worker?.asked).toEqual([{ name: 'a', argument: 'a', text: 'text' }]);
    worker?.answer({ result: 1 });
    expect(worker?.asked.at(-1)).toEqual({ name: 'b', argument: 'b' });
    worker?.answer({ result: 2 });
    expect(worker?.asked.at(-1)).toEqual({ name: 'c', argument: 'c', text: 'other' });
    worker?.answer({ result: 3 });
    expect(await Promise.all(answers)).toEqual([1, 2, 3]);
    expect(workers).toHaveLength(1);
  });

  it('does not send a request that was left while it waited', async () => {
    const { workers, ask } = queueOver();
    const page = new AbortController();
    const first = ask('a');
    const left = ask('b', 'text', page.signal);
    const last = ask('c');
    page.abort();
    await expect(left).rejects.toThrow('aborted');
    workers[0]?.answer({ result: 1 });
    workers[0]?.answer({ result: 3 });
    expect(await Promise.all([first, last])).toEqual([1, 3]);
    expect(names(workers[0])).toEqual(['a', 'c']);
  });

  it('ends the worker of a request that is left while it runs, and starts another for the next one', async () => {
    const { workers, ask } = queueOver();
    const page = new AbortController();
    const left = ask('a', 'text', page.signal);
    const next = ask('b');
    page.abort();
    await expect(left).rejects.toThrow('aborted');
    await eventually('another worker is started', () => workers[1]);
    expect(workers[0]?.isStopped).toBe(true);
    // Its text has gone with the worker.
    expect(workers[1]?.asked).toEqual([{ name: 'b', argument: 'b', text: 'text' }]);
    // The answer of the ended worker arrives late.
    workers[0]?.answer({ result: 'late' });
    workers[1]?.answer({ result: 2 });
    expect(await next).toBe(2);
  });

  it('keeps the worker if a request that was left ends soon', async () => {
    const { workers, ask } = queueOver();
    const page = new AbortController();
    const left = ask('a', 'text', page.signal);
    const next = ask('b');
    page.abort();
    workers[0]?.answer({ result: 1 });
    workers[0]?.answer({ result: 2 });
    await expect(left).rejects.toThrow('aborted');
    expect(await next).toBe(2);
    expect(workers).toHaveLength(1);
  });

  it('throws the error of the text, and that of a worker that fails, and continues', async () => {
    const { workers, ask } = queueOver();
    const [wrong, failed, next] = [ask('a'), ask('b'), ask('c')];
    workers[0]?.answer({ failed: 'Line 1, column 2: no.', at: 1 });
    await expect(wrong).rejects.toThrow(new JsonSyntaxError('Line 1, column 2: no.', 1));
    await expect(wrong).rejects.toBeInstanceOf(JsonSyntaxError);
    workers[0]?.fail();
    await expect(failed).rejects.toThrow('The browser could not read the text: its worker did not start.');
    workers[1]?.answer({ result: 3 });
    expect(await next).toBe(3);
  });
});
