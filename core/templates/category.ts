/** What workers of a template compute on. */
export const CATEGORIES = ['NVIDIA', 'AMD', 'CPU'] as const;
export type Category = (typeof CATEGORIES)[number];
