/** Items as streams and errors show them, in DynamoDB's own notation. */
import { unmarshall } from '@aws-sdk/util-dynamodb';

type Image = Parameters<typeof unmarshall>[0];

/**
 * Without it, one fraction of more than 16 digits makes the SDK throw for all items that it was read with. Such a number
 * loses digits instead, and what reads the item refuses it.
 */
export const anyNumber = { wrapNumbers: Number } as const;

export const itemIn = (image: unknown): Record<string, unknown> => unmarshall(image as Image, anyNumber);
