import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { workerError } from '../job/worker-error.ts';

const traceback = `Traceback (most recent call last):
  File "/app/handler.py", line 41, in handler
    image = pipe(prompt)
            ^^^^^^^^^^^^
torch.OutOfMemoryError: CUDA out of memory.
Tried to allocate 2.00 GiB.
`;

/** As RunPod's SDK for Python writes it. */
const exception = {
  error_type: "<class 'torch.OutOfMemoryError'>",
  error_message: 'CUDA out of memory.\nTried to allocate 2.00 GiB.',
  error_traceback: traceback,
  hostname: 'sdxl-64-1',
  worker_id: 'unknown',
  runpod_version: '1.7.13',
};

const message = exception.error_message;

describe('the error of a worker', () => {
  it("is read from the JSON of RunPod's SDK", () => {
    expect(workerError(JSON.stringify(exception))).toEqual({
      message,
      type: 'torch.OutOfMemoryError',
      traceback: traceback.trimEnd(),
      origin: [
        ['Host', 'sdxl-64-1'],
        ['SDK', 'runpod 1.7.13'],
      ],
    });
  });

  it('has no traceback and no origin if the SDK sent none', () => {
    const { error_type, error_message } = exception;
    expect(workerError(JSON.stringify({ error_type, error_message }))).toEqual({
      message,
      type: 'torch.OutOfMemoryError',
      origin: [],
    });
  });

  it('is read from a traceback of Python, whose message can have several lines', () => {
    expect(workerError(traceback)).toEqual({
      message,
      type: 'torch.OutOfMemoryError',
      traceback: traceback.trimEnd(),
      origin: [],
    });
    const interrupted = workerError('Traceback (most recent call last):\n  File "a.py", line 1\nKeyboardInterrupt');
    expect(interrupted).toMatchObject({ message: 'KeyboardInterrupt' });
    expect(interrupted).not.toHaveProperty('type');
  });

  it.each([
    ['a sentence', 'The job ran for longer than 30000 ms.'],
    ['an empty text', ''],
    ['other JSON', '{"detail":"no such seed"}'],
    ['broken JSON', '{"error_type":"<class'],
    ['JSON whose members are not texts', '{"error_type":{"a":1},"error_message":["b"]}'],
    ['a type that is not a class of Python', 'ValueError'],
    ['a traceback without an exception', 'Traceback (most recent call last):\n  File "a.py", line 1'],
    ['JSON that is too large to read on the page', JSON.stringify({ ...exception, pad: 'x'.repeat(2_000_000) })],
    ['a traceback that is too large', `${traceback}${'x'.repeat(2_000_000)}`],
    ['deep JSON', `${'{"error_message":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('is %s as it was sent', (_, text) => {
    expect(workerError(text)).toEqual({ message: text, origin: [] });
  });

  it.each([[undefined], [null], [7], [{ error_message: 'x' }], [['x']]])(
    'is JSON of %j, which is not a text',
    (value) => {
      expect(workerError(value)).toEqual({ message: String(JSON.stringify(value)), origin: [] });
    },
  );

  it('keeps a type in another form, and a message of any text', async () => {
    await fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (type, text) => {
        const read = workerError(JSON.stringify({ error_type: type, error_message: text }));
        expect(read.message).toBe(text);
        expect(typeof (read.type ?? '')).toBe('string');
      }),
    );
  });
});
