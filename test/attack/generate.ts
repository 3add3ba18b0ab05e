// Requests out of schemas: mostly as they should be, with something hostile here and there.
import { z } from 'zod';
import type { House } from './house.ts';
import type { Random } from './tactic.ts';
import { hostileString, hostileValue } from './values.ts';

/** As much of JSON Schema as ours use. */
export interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape | boolean;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly pattern?: string;
  readonly additionalProperties?: Shape | boolean;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Shape>>;
}

export function shapeOf(schema: z.ZodType): Shape {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
}

export interface Generating {
  readonly random: Random;
  readonly house: House;
  /** One in so many values is hostile; 0 for none. */
  readonly oneIn: number;
}

const DEEPEST = 8;

export function valueFor(shape: Shape, how: Generating, root: Shape = shape, name = '', depth = 0): unknown {
  const { random, oneIn, house } = how;
  if (oneIn > 0 && random.below(oneIn) === 0) return hostileValue(random, house);
  const inner = (next: Shape, called = name) => valueFor(next, how, root, called, depth + 1);
  if (shape.$ref) return depth > DEEPEST ? {} : inner(resolve(shape.$ref, root));
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return random.pick(shape.enum);
  const options = shape.anyOf ?? shape.oneOf;
  if (options) return inner(random.pick(options));
  if (shape.allOf) return Object.assign({}, ...shape.allOf.map((part) => inner(part)));
  switch (Array.isArray(shape.type) ? random.pick(shape.type as readonly string[]) : shape.type) {
    case 'object':
      return objectFor(shape, how, inner);
    case 'array':
      return Array.from({ length: 1 + random.below(3) }, () =>
        typeof shape.items === 'object' ? inner(shape.items) : 'x',
      );
    case 'integer':
    case 'number':
      return Math.max(shape.minimum ?? 1, 1);
    case 'boolean':
      return random.below(2) === 0;
    case 'null':
      return null;
    case 'string':
      return stringFor(shape, how, name);
    default:
      return oneIn > 0 ? hostileValue(random, house) : { text: 'x' };
  }
}

function objectFor(shape: Shape, how: Generating, inner: (next: Shape, called: string) => unknown): object {
  const { random, oneIn, house } = how;
  const entries = Object.entries(shape.properties ?? {})
    .filter(([key]) => shape.required?.includes(key) || random.below(2) === 0)
    .map(([key, property]): [string, unknown] => [key, inner(property, key)]);
  const made = Object.fromEntries(entries);
  if (oneIn > 0 && random.below(oneIn * 2) === 0)
    Object.defineProperty(made, hostileString(random, house), { value: 1, enumerable: true });
  return made;
}

/** Something that may well exist, going by the field's name. */
function stringFor(shape: Shape, { random, house, oneIn }: Generating, name: string): string {
  const { hall, talk, loom, side, event, node } = house.places;
  const known: Readonly<Record<string, readonly string[]>> = {
    thread: [hall, talk, loom, side],
    ...Object.fromEntries(['node', 'at', 'child', 'source', 'active'].map((each) => [each, [node]])),
    after: ['head', node],
    before: ['head', '2026-11-01'],
    since: ['2026-11-01'],
    to: [`/threads/${side}`],
    reply_to: [event],
    event: [event],
    link: [`/threads/${hall}`, `/loom/${loom}#${node}`, `/threads/${hall}#${event}`],
    from: [`/threads/${hall}#${event}`],
    model: ['evil', 'small'],
    participant_id: ['bee', 'ghost', 'human'],
    cursor: ['t1.1', 'w1.1', 'head'],
  };
  if (shape.pattern?.startsWith('^[a-z0-9]')) return random.pick(['bee', 'human', 'ghost']);
  if (Object.hasOwn(known, name)) return random.pick(known[name] as readonly string[]);
  if (shape.pattern) return `n${random.below(100)}`;
  if (oneIn > 0 && random.below(3) === 0) return hostileString(random, house).slice(0, shape.maxLength);
  return random.pick(['Hello', 'x', 'a b c', '@bee what now?']);
}

function resolve(ref: string, root: Shape): Shape {
  if (ref === '#') return root;
  return root.$defs?.[ref.split('/').at(-1) ?? ''] ?? {};
}
