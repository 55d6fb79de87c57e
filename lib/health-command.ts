/**
 * Returns the command of a container's health check: a GET request to a port of the container must be answered by 2xx. The
 * images of the project have Node.js, and no other program that sends requests.
 */
export const healthCommand = (port: number, path: string): string[] => [
  'CMD',
  'node',
  '-e',
  `fetch('http://127.0.0.1:${port}${path}').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))`,
];
