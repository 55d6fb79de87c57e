/** The code of a streaming handler that runs the operations in its event or its query, in their order. */
export const streamingHandler = `
const { pipeline } = require('node:stream/promises');
let written = 0;
let ended = 0;
let held = 0;
let release;
const block = Buffer.alloc(1_000_000, 'x');
async function* blocks(count) {
  for (let n = 0; n < count; n += 1) {
    written += block.length;
    yield block;
  }
}
const zeros = '\\0'.repeat(8);
const operations = {
  from: (metadata, stream) => awslambda.HttpResponseStream.from(stream, JSON.parse(metadata)),
  write: (chunk, stream) => void stream.write(chunk),
  pad: (size, stream) => void stream.write(' '.repeat(size)),
  prelude: (metadata, stream) => void stream.write(metadata + zeros),
  bytes: (metadata, stream) => { for (const byte of metadata + zeros) stream.write(byte); },
  blocks: (count, stream) => pipeline(blocks(count), stream),
  state: (_, stream) => void stream.write(JSON.stringify({ written, ended, held })),
  hold: () => new Promise((resolve) => { held += 1; release = resolve; }),
  release: () => release(),
  throw: (message) => { throw new TypeError(message); },
  destroy: (message, stream) => void stream.destroy(new Error(message)),
  exit: (code) => process.exit(code),
  end: (chunk, stream) => new Promise((resolve) => stream.end(chunk, resolve)),
};
exports.stream = awslambda.streamifyResponse(async (event, stream, context) => {
  if (!context.awsRequestId) throw new Error('The context is missing.');
  for (const [name, value] of Object.entries(event.queryStringParameters ?? event)) await operations[name](value, stream);
  ended += 1;
});`;

/** Size of a block, in bytes. */
export const BLOCK = 1_000_000;
