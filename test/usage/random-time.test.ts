import { describe } from '@jest/globals';
import { MINUTE, SECOND } from '../../core/limits.ts';
import { compareTraffic } from './compare-traffic.ts';

describe('random traffic of three quarters of an hour', () =>
  compareTraffic({ minutes: 45, pause: 10 * SECOND }, 20 * MINUTE, 5 * MINUTE));
