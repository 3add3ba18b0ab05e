import { z } from 'zod';
import { defineEvent, type EventOf } from '../events/define.ts';
import type { ThreadCreated } from '../threads/events.ts';

const number = z.number().int().positive();

export const ItemAdded = defineEvent('item.added', {
  schema: z.strictObject({
    item: number,
    text: z.string(),
    /** The request that a model answered with it, and the model. */
    request: number.optional(),
    model: z.string().optional(),
  }),
});
export const ItemTicked = defineEvent('item.ticked', { schema: z.strictObject({ item: number }) });
export const ItemsRequested = defineEvent('items.requested', {
  schema: z.strictObject({ request: number, items: number }),
});
export const RequestFailed = defineEvent('request.failed', {
  schema: z.strictObject({ request: number, reason: z.string() }),
});

export const listEvents = [ItemAdded, ItemTicked, ItemsRequested, RequestFailed] as const;
export type ListEvent = EventOf<(typeof listEvents)[number] | typeof ThreadCreated>;
