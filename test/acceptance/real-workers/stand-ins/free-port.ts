/** Prints a port of the loopback address that no program uses. */
import { freePort } from '../../../../packages/emulator/network/ports.ts';

console.log(await freePort());
