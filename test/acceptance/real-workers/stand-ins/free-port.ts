/** Prints a port of the loopback address that no program uses. */
import { freePort } from '../../../../local/network/ports.ts';

console.log(await freePort());
