import { describe } from '@jest/globals';
import { HOUR, MINUTE } from '../../core/limits.ts';
import { compareTraffic } from './compare-traffic.ts';

// With the minutes until it is summed, the traffic is of a day: a series has at most the minutes of one.
describe('random traffic of a day', () =>
  compareTraffic({ minutes: 24 * 60 - 15, pause: MINUTE }, 14 * HOUR, 15 * MINUTE));
