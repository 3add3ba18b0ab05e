import type { z } from 'zod';

/** True only for what the schema accepts. */
type QuickTest = (value: unknown) => boolean;

/**
 * Builds a test that only looks, where a schema copies what it reads: every event is checked before it is stored, and
 * the copies are what that costs. Kinds of schema that are not known here read for themselves. A value that fails has
 * to be given to the schema, which decides and says why.
 */
export function createQuickTest(schema: z.core.$ZodType): QuickTest {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const checks = (def.checks ?? []).map((check) => (check as z.core.$ZodChecks)._zod.def);
  switch (def.type) {
    case 'number': {
      const tests = checks.map(createNumberTest);
      if ('format' in def) break;
      return (value) => Number.isFinite(value) && tests.every((test) => test(value as number));
    }
    case 'string':
      if (checks.length > 0 || 'format' in def) break;
      return (value) => typeof value === 'string';
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'literal':
    case 'enum': {
      const values = new Set<unknown>(def.type === 'literal' ? def.values : Object.values(def.entries));
      return (value) => values.has(value);
    }
    case 'nullable': {
      const test = createQuickTest(def.innerType);
      return (value) => value === null || test(value);
    }
    case 'array': {
      const test = createQuickTest(def.element);
      if (checks.length > 0) break;
      return (value) => Array.isArray(value) && hasOnly(value, test);
    }
    case 'object':
      if (checks.length > 0 || def.catchall?._zod.def.type !== 'never') break;
      return createObjectTest(def.shape);
  }
  return (value) => (schema as z.ZodType).safeParse(value).success;
}

/** `every` would pass over holes. */
function hasOnly(values: readonly unknown[], test: QuickTest): boolean {
  for (let i = 0; i < values.length; i++) if (!test(values[i])) return false;
  return true;
}

type NumberTest = (value: number) => boolean;

function createNumberTest(def: z.core.$ZodChecks['_zod']['def']): NumberTest {
  if (def.check === 'number_format' && def.format === 'safeint') return Number.isSafeInteger;
  if (def.check === 'greater_than') {
    const bound = Number(def.value);
    return def.inclusive ? (value) => value >= bound : (value) => value > bound;
  }
  if (def.check === 'less_than') {
    const bound = Number(def.value);
    return def.inclusive ? (value) => value <= bound : (value) => value < bound;
  }
  return () => false;
}

/** For an object that has no other fields than those of the shape. */
function createObjectTest(shape: Readonly<Record<string, z.core.$ZodType>>): QuickTest {
  const fields = new Map(
    Object.entries(shape).map(([name, field]) => {
      const { def } = (field as z.core.$ZodTypes)._zod;
      const isOptional = def.type === 'optional';
      return [name, { isOptional, test: createQuickTest(isOptional ? def.innerType : field) }];
    }),
  );
  const required = [...fields.values()].filter(({ isOptional }) => !isOptional).length;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    let found = 0;
    for (const name in value) {
      const field = fields.get(name);
      if (!field?.test((value as Record<string, unknown>)[name])) return false;
      if (!field.isOptional) found++;
    }
    return found === required;
  };
}
