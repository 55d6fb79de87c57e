/** Calls an endpoint with RunPod's JavaScript client, and prints a JSON object with each result. */
import runpodSdk from 'runpod-sdk';

const { API_KEY, RUNPOD_ENDPOINT_BASE_URL: baseUrl, ENDPOINT } = process.env;
const endpoint = runpodSdk(API_KEY, { baseUrl }).endpoint(ENDPOINT);
const PATIENCE = 30_000;
const CHUNKS = { op: 'stream', chunks: 3, size: 3, ms: 300 };
const submit = async (input) => (await endpoint.run({ input }, PATIENCE)).id;

const checks = {
  health: async () => Object.keys(await endpoint.health(PATIENCE)),
  run_sync: async () => (await endpoint.runSync({ input: { n: 1 } })).output,
  run: async () => {
    const { output, status } = await endpoint.statusSync(await submit({ n: 2 }));
    return [output, status];
  },
  stream: async () => (await Array.fromAsync(endpoint.stream(await submit(CHUNKS)))).map(({ output }) => output),
  cancel: async () => {
    const id = await submit({ op: 'sleep', ms: 60_000 });
    return [(await endpoint.cancel(id, PATIENCE)).status, (await endpoint.status(id, PATIENCE)).status];
  },
  purge: async () => (await endpoint.purgeQueue(PATIENCE)).status,
};

const seen = {};
for (const [name, check] of Object.entries(checks)) seen[name] = await check();
// The client prints the progress of its jobs, so the result must be the last line.
console.log(JSON.stringify(seen));
