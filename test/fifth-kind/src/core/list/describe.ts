import type { EventOf } from '../events/define.ts';
import { asMessage, asNote, type DescribersOf } from '../events/description.ts';
import type { listEvents } from './events.ts';

export const listDescribers: DescribersOf<EventOf<(typeof listEvents)[number]>> = {
  'item.added': ({ item, text }) => asMessage(`item ${item}`, text),
  'item.ticked': ({ item }) => asNote(`ticked item ${item}`),
  'items.requested': ({ items }) => asNote(`asked for ${items} more`),
  'request.failed': ({ reason }) => asNote(`got no item: ${reason}`),
};
