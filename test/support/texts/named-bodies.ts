import { z } from 'zod';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

const MOST = 64;

/** Values that fit a schema, with one name wherever a text may stand: whole, and with only what must be there. */
export function bodiesWithName(schema: z.ZodType, name: string): readonly unknown[] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  return [...valuesOf(json, name, true), ...valuesOf(json, name, false)].slice(0, MOST);
}

function valuesOf(schema: Schema, name: string, whole: boolean): readonly unknown[] {
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum) return schema.enum;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.flatMap((each) => valuesOf(each, name, whole));
  switch (schema.type) {
    case 'object':
      return objectsOf(schema, name, whole);
    case 'array':
      return valuesOf(schema.items ?? {}, name, whole).map((item) => [item]);
    case 'integer':
    case 'number':
      return [Math.max(schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1)];
    case 'boolean':
      return [true];
    case 'null':
      return [null];
    default:
      return [!schema.pattern || new RegExp(schema.pattern, 'u').test(name) ? name : 'constructor'];
  }
}

/** Each value of each field once, beside the first value of the others. */
function objectsOf({ properties = {}, required = [], ...schema }: Schema, name: string, whole: boolean): unknown[] {
  const fields = Object.entries(properties).filter(([field]) => whole || required.includes(field));
  const values = fields.map(([field, each]) => [field, valuesOf(each, name, whole)] as const);
  const first = Object.fromEntries(values.map(([field, [value]]) => [field, value]));
  const more = typeof schema.additionalProperties === 'object' ? [{ ...first, [name]: name }] : [];
  const others = values.flatMap(([field, all]) => all.slice(1).map((value) => ({ ...first, [field]: value })));
  return [first, ...more, ...others];
}
