/** Items in DynamoDB's own notation, as streams and errors contain them. */
import { unmarshall } from '@aws-sdk/util-dynamodb';

type Image = Parameters<typeof unmarshall>[0];

/**
 * Without this option, one fraction of more than 16 digits makes the SDK throw for all items of the same read. With
 * the option, the number loses digits instead, and the reader of the item refuses the number.
 */
export const anyNumber = { wrapNumbers: Number } as const;

export const itemIn = (image: unknown): Record<string, unknown> => unmarshall(image as Image, anyNumber);
