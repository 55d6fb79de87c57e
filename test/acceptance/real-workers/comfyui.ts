/** Tests worker-comfyui with `stand-ins/comfyui-server.ts`. The first node of a workflow determines how it ends. */
import { expect } from '@jest/globals';
import type { Behaviour } from './cell.ts';
import { isReplacedAfterCancel, isReplacedWithDeadServer, OUTLASTS_STOP, outputOf } from './outcomes.ts';

interface Pictures {
  readonly images: readonly { readonly filename: string; readonly type: string; readonly data: string }[];
}

const workflow = (kind: string, inputs: object = {}) => ({ workflow: { 7: { class_type: kind, inputs } } });
const base64 = (text: string) => Buffer.from(text).toString('base64');

export const comfyui: readonly Behaviour[] = [
  {
    name: 'returns an image in base64',
    result: 'yes',
    async check(place) {
      const images = [{ filename: 'made-0.png', type: 'base64', data: base64('image made-0.png') }];
      expect(await outputOf<Pictures>(place, workflow('Images'))).toEqual({ images });
    },
  },
  {
    name: 'takes an image, and returns three',
    result: 'yes',
    async check(place) {
      const [name, data] = ['mine.png', base64('an image of mine')];
      const images = [{ name, image: `data:image/png;base64,${data}` }];
      const output = await outputOf<Pictures>(place, { ...workflow('Images', { image: name, count: 3 }), images });
      expect(output.images).toEqual(Array.from({ length: 3 }, () => ({ filename: name, type: 'base64', data })));
    },
  },
  {
    name: 'fails a job whose workflow is refused or fails, with details',
    result: 'yes',
    async check(place) {
      const refused = await place.outcome(workflow('Invalid'));
      const error = expect.stringContaining('Cannot execute because a node is missing');
      expect(refused).toMatchObject({ status: 'FAILED', attempts: 1, error });
      const failed = await place.outcome(workflow('Fails'));
      expect(failed).toMatchObject({ status: 'FAILED', attempts: 1, error: 'Job processing failed' });
      expect(JSON.stringify(failed.output)).toContain('no such sampler');
    },
  },
  {
    name: 'stops a cancelled job',
    result: 'no: it runs until it finishes, then the worker is replaced',
    check: (place) => isReplacedAfterCancel(place, workflow('Slow', { ms: OUTLASTS_STOP }), workflow('Images')),
  },
  {
    name: 'is replaced when its server has died',
    result: 'yes, after three failures in a row',
    check: (place) => isReplacedWithDeadServer(place, workflow('Exit'), workflow('Images')),
  },
];
