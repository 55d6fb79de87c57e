/** Draws a picture for the output of a worker. */
import { crc32, deflateSync } from 'node:zlib';

const SIZE = 256;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** @returns base64 of a PNG with a sky above a field */
export function picture(): string {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(SIZE, 0);
  head.writeUInt32BE(SIZE, 4);
  // Eight bits each for red, green and blue.
  head.set([8, 2], 8);
  const rows = Array.from({ length: SIZE }, (_, y) => {
    const colour = y < SIZE * 0.62 ? [90 + y / 2, 150 + y / 3, 235] : [70, 200 - y / 2, 80];
    return Buffer.from([0, ...Array.from({ length: SIZE }, () => colour).flat()]);
  });
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]).toString('base64');
}
