// Requests to every address of the table of routes, so that a new route is attacked without being named here.
import { dialogueCommands } from '../../src/core/dialogue/commands.ts';
import { exchangeCommands } from '../../src/core/exchange/commands.ts';
import { loomCommands } from '../../src/core/loom/commands.ts';
import { dialogueRoutes } from '../../src/protocol/dialogue.ts';
import { exchangeRoutes } from '../../src/protocol/exchange.ts';
import { loomRoutes } from '../../src/protocol/loom.ts';
import { filePiece, loomFileRoutes } from '../../src/protocol/loom-files.ts';
import type { Endpoint } from '../../src/protocol/routes.ts';
import type { Sent } from './caller.ts';
import { type Generating, shapeOf, valueFor } from './generate.ts';
import { hostileString } from './values.ts';

/** A line of an upload. */
const PIECE = shapeOf(filePiece);

export function requestFor(endpoint: Endpoint, how: Generating): Sent {
  const { method, body, upload, command } = endpoint;
  const { random, house, oneIn } = how;
  const isHostile = () => oneIn > 0 && random.below(oneIn) === 0;
  return {
    method,
    route: endpoint.path,
    path: pathFor(endpoint, how, isHostile) + queryFor(endpoint, how, isHostile),
    patienceMs: 5_000,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(upload && { 'content-type': upload }),
      ...(command && isHostile() && { 'idempotency-key': random.pick(['honest-human-1', 'x', 'a'.repeat(200), '…']) }),
      ...(isHostile() && { 'last-event-id': visible(hostileString(random, house)) }),
    },
    ...(body && { text: JSON.stringify(valueFor(shapeOf(body), how)) ?? '' }),
    ...(upload && { text: `${JSON.stringify(valueFor(PIECE, how))}\n` }),
  };
}

function pathFor({ key, path }: Endpoint, { random, house, oneIn }: Generating, isHostile: () => boolean): string {
  const { places } = house;
  return path.replace(/:(\w+)/g, (_, name: string) => {
    if (isHostile()) return encoded(hostileString(random, house).slice(0, 300));
    if (name === 'thread')
      return oneIn > 0 && random.below(3) === 0 ? random.pick(anyThread(places)) : threadFor(key, places);
    return encoded(name in places ? places[name as keyof typeof places] : random.pick(['1', 'evil', 'x']));
  });
}

function queryFor({ query }: Endpoint, how: Generating, isHostile: () => boolean): string {
  if (!query) return isHostile() ? `?${encoded(hostileString(how.random, how.house).slice(0, 300))}` : '';
  const given = valueFor(shapeOf(query), { ...how, oneIn: 0 }) as Record<string, unknown>;
  const pairs = Object.entries(given).map(([name, value]): [string, string] => [
    name,
    isHostile() ? hostileString(how.random, how.house).slice(0, 3_000) : name === 'wait' ? '0' : String(value),
  ]);
  return `?${pairs.map(([name, value]) => `${name}=${encoded(value)}`).join('&')}`;
}

function threadFor(key: string, { talk, pool, loom, side, hall }: Generating['house']['places']): string {
  const command = key.split('/commands/')[1] ?? '';
  if (command === 'side_close') return side;
  if (key in dialogueRoutes || command in dialogueCommands) return talk;
  if (key in exchangeRoutes || command in exchangeCommands) return pool;
  return key in loomRoutes || key in loomFileRoutes || command in loomCommands ? loom : hall;
}

function anyThread({ hall, hive, study, talk, pool, loom, side }: Generating['house']['places']): readonly string[] {
  return [hall, hive, study, talk, pool, loom, side];
}

/** As it may stand in an address; half a character cannot. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function visible(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '?').slice(0, 200);
}
