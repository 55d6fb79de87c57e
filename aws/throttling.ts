/** Recognizes calls that AWS refused because of their rate. */
import { isThrottlingError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';

/** Returns whether the error is that of a call that AWS throttled also when the SDK repeated it, or was caused by one. */
export const isThrottled = (error: unknown): boolean =>
  error instanceof Error && (isThrottlingError(error as SdkError) || isThrottled(error.cause));
