/** Tests worker-faster_whisper with the stand-in for its module, which finds a segment in each second of audio. */
import { expect } from '@jest/globals';
import { SECOND } from '../../../core/limits.ts';
import type { Behaviour } from './cell.ts';
import { isReplacedAfterCancel, OUTLASTS_STOP, outputOf } from './outcomes.ts';

/** The stand-in needs a fiftieth of the audio's duration. */
const SPEED = 50;
const LARGE_RATE = 400_000;

interface Heard {
  readonly transcription: string;
  readonly translation: string | null;
  readonly detected_language: string;
  readonly segments: readonly object[];
}

/**
 * Returns a silent WAV file with one channel of 8 bits, in base64.
 * @param rate samples per second, which are also bytes per second
 */
function wav(seconds: number, rate = 100): string {
  const bytes = seconds * rate;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  return Buffer.concat([head, Buffer.alloc(bytes, 128)]).toString('base64');
}

export const whisper: readonly Behaviour[] = [
  {
    name: 'returns text, segments and language of audio in base64',
    result: 'yes',
    async check(place) {
      const heard = await outputOf<Heard>(place, { audio_base64: wav(3) });
      expect(heard).toMatchObject({ transcription: 'heard 0 heard 1 heard 2', detected_language: 'en' });
      expect(heard.segments).toHaveLength(3);
    },
  },
  {
    name: 'returns subtitles and a translation',
    result: 'yes',
    async check(place) {
      const input = { audio_base64: wav(1), transcription: 'srt', translate: true };
      expect(await outputOf<Heard>(place, input)).toMatchObject({
        transcription: '1\n00:00:00,000 --> 00:00:01,000\nheard 0\n\n',
        translation: 'translated 0',
      });
    },
  },
  {
    name: 'takes 5.6 MB of audio in base64',
    result: 'yes',
    async check(place) {
      const audio = wav(10.5, LARGE_RATE);
      expect(audio.length).toBeGreaterThan(5_600_000);
      expect((await outputOf<Heard>(place, { audio_base64: audio })).segments).toHaveLength(10);
    },
  },
  {
    name: 'fails a job without audio, and one with unknown inputs',
    result: 'yes',
    async check(place) {
      const without = expect.stringContaining('Must provide either audio or audio_base64');
      expect(await place.outcome({ model: 'base' })).toMatchObject({ status: 'FAILED', error: without });
      const unknown = expect.stringContaining('Unexpected input. colour is not a valid input option.');
      expect(await place.outcome({ colour: 'red' })).toMatchObject({ status: 'FAILED', error: unknown });
    },
  },
  {
    name: 'stops a cancelled job',
    result: 'no: it runs until it finishes, then the worker is replaced',
    check: (place) =>
      isReplacedAfterCancel(place, { audio_base64: wav((OUTLASTS_STOP / SECOND) * SPEED) }, { audio_base64: wav(1) }),
  },
];
