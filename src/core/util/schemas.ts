import { z } from 'zod';

export const natural = z.number().int().nonnegative();
export const positive = z.number().int().positive();

export function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).readonly();
}
