/** Entry of the worker of `node-worker.ts`: the code of the browser's worker over the messages of Node.js. */
import { parentPort } from 'node:worker_threads';
import { createAnswerer } from '../../reading/answer.ts';

parentPort?.on(
  'message',
  createAnswerer((answer, transfer) => parentPort?.postMessage(answer, transfer)),
);
