import { describe } from '@jest/globals';
import { HOUR, MINUTE } from '../../core/limits.ts';
import { compareTraffic } from './compare-traffic.ts';

describe('random traffic of a day', () => compareTraffic({ minutes: 24 * 60, pause: MINUTE }, 14 * HOUR, 15 * MINUTE));
