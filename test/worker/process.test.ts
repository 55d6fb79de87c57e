import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import { onEndSignal } from '../../worker/process.ts';

it.each(['SIGTERM', 'SIGINT'])('onEndSignal calls the listener on %s, and continues to listen', (signal) => {
  const signals = new EventEmitter();
  let heard = 0;
  onEndSignal(() => (heard += 1), signals);
  signals.emit(signal);
  expect(heard).toBe(1);
  // Without a listener, a second signal would kill the process.
  for (const each of ['SIGTERM', 'SIGINT']) expect(signals.listenerCount(each)).toBe(1);
});
