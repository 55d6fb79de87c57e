import { describe, expect, it } from '@jest/globals';
import { findMedia } from '../job/find-media.ts';
import { endingOf, fileIn, mediaBytes, mediaType } from '../job/media.ts';

const file = (start: string | readonly number[], size = 120) => {
  const bytes = Buffer.alloc(size, 7);
  Buffer.from(start as string, 'latin1').copy(bytes);
  return bytes.toString('base64');
};

const riff = (type: string) => file(`RIFF\x01\x02\x03\x04${type}`);
const png = file('\x89PNG\r\n\x1a\n');

describe('a file in a string', () => {
  it.each([
    ['image/png', 'png', png],
    ['image/jpeg', 'jpg', file('\xff\xd8\xff\xe0')],
    ['image/webp', 'webp', riff('WEBP')],
    ['image/gif', 'gif', file('GIF89a')],
    ['audio/wav', 'wav', riff('WAVE')],
    ['audio/mpeg', 'mp3', file('ID3\x04')],
    ['audio/mpeg', 'mp3', file('\xff\xfb\x90')],
    ['video/mp4', 'mp4', file('\x00\x00\x00\x20ftypisom')],
  ] as const)('has the type %s (.%s) if its first bytes show it', (type, ending, base64) => {
    expect(mediaType(base64)).toBe(type);
    expect(endingOf(type)).toBe(ending);
  });

  it('has the type that its bytes show, not the type in its data URL', () => {
    expect(mediaType(`data:text/html;base64,${png}`)).toBe('image/png');
    expect(mediaType(`data:image/png;base64,${file('<html><script>')}`)).toBeUndefined();
  });

  it.each([
    ['HTML', file('<!doctype html>')],
    ['SVG', file('<svg xmlns="http://www.w3.org/2000/svg">')],
    ['a PDF', file('%PDF-1.7')],
    ['a RIFF file of another type', riff('AVI ')],
    ['text', 'The answer is forty-two, as everybody knows by now.'],
    ['a short string', png.slice(0, 20)],
  ])('is not recognized if it is %s', (_, text) => {
    expect(mediaType(text)).toBeUndefined();
  });

  it('is also recognized in the URL-safe alphabet', () => {
    expect(mediaType(file('\xff\xfb\xff\xff').replaceAll('+', '-').replaceAll('/', '_'))).toBe('audio/mpeg');
  });

  it('is decoded to all its bytes', () => {
    expect(Buffer.from(mediaBytes(`data:image/png;base64,${png}`))).toEqual(Buffer.from(png, 'base64'));
  });
});

describe('the files of an output', () => {
  it('are found with their paths, also with escaped slashes', async () => {
    const jpeg = file('\xff\xd8\xff\xe0');
    const output = `{"images": [{"image": "${png}"}, "${jpeg.replaceAll('/', '\\/')}"], "text": "${'x'.repeat(200)}"}`;
    const media = await findMedia(output);
    expect(media.map(({ path, type }) => `${path} ${type}`)).toEqual([
      'images[0].image image/png',
      'images[1] image/jpeg',
    ]);
    const [first] = media;
    expect(output.slice(first?.start, first?.end)).toBe(`"${png}"`);
  });

  it('are decoded from the output, unless they are damaged', async () => {
    const [whole, damaged] = [
      file('\xff\xd8\xff\xe0').replaceAll('/', '\\/'),
      `${png.slice(0, 100)}%${png.slice(100)}`,
    ];
    const output = `["${whole}", "${damaged}"]`;
    const [first, second] = await findMedia(output);
    if (!first || !second) throw new Error('The files are not found.');
    const decoded = fileIn(output, first);
    expect(decoded?.type).toBe('image/jpeg');
    expect(Buffer.from(await (decoded ?? new Blob([])).arrayBuffer()).toString('base64')).toBe(
      file('\xff\xd8\xff\xe0'),
    );
    expect(fileIn(output, second)).toBeNull();
  });

  it('include the output itself if it is a string', async () => {
    expect(await findMedia(`"${png}"`)).toMatchObject([{ path: '', type: 'image/png' }]);
  });
});
