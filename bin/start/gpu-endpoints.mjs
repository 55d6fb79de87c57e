#!/usr/bin/env node
/**
 * Entry of `gpu-endpoints`. With an older Node.js it runs the command with the one that npm has installed beside it:
 * `npx` finds that one by itself, but a global installation and the completion of a shell do not. This file is not
 * TypeScript, because an older Node.js must be able to read it.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The first release that has all modules that the commands import, and that reads TypeScript. */
const LOWEST = [22, 18];

/** The program is compiled where the package is installed. */
const compiled = new URL('../cli.js', import.meta.url);
const program = existsSync(compiled) ? compiled : new URL('../cli.ts', import.meta.url);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [lowestMajor = 0, lowestMinor = 0] = LOWEST;
const isOld = major < lowestMajor || (major === lowestMajor && minor < lowestMinor);

function installedNode() {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    console.error(
      `gpu-endpoints needs Node.js ${LOWEST.join('.')} or newer, and this is ${process.versions.node}. npm installs one with the package only on Linux on x64.`,
    );
    return process.exit(1);
  }
}

if (isOld) {
  const child = spawn(installedNode(), [fileURLToPath(program), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      // A terminal sends Ctrl-C and its own end to both processes, and a second signal would skip the shutdown.
      if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal);
    });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
} else await import(program.href);
