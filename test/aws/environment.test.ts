import { describe, expect, it } from '@jest/globals';
import { environment } from '../../aws/environment.ts';

describe('a required environment variable', () => {
  it('names the missing grant if it is not set, because grants set the names of resources', () => {
    expect(() => environment('ABSENT_TABLE')).toThrow(
      'The environment variable ABSENT_TABLE is not set. If it names a resource, no construct grants this role access to the resource: a grant sets the variable.',
    );
  });
});
