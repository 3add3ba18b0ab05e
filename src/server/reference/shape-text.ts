interface ShapeSchema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ShapeSchema[];
  readonly oneOf?: readonly ShapeSchema[];
  readonly type?: string;
  readonly items?: ShapeSchema;
  readonly properties?: Readonly<Record<string, ShapeSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | ShapeSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly description?: string;
}

const MAX_LINE_LENGTH = 70;

/** Renders a JSON Schema as compact type notation. A name refers to a shape described elsewhere. */
export function shapeText(schema: object | boolean, indent = ''): string {
  if (typeof schema === 'boolean') return schema ? 'any JSON' : 'nothing';
  const shape = schema as ShapeSchema;
  if (shape.$ref) return shape.$ref.split('/').at(-1) as string;
  if ('const' in shape) return JSON.stringify(shape.const);
  if (shape.enum) return shape.enum.map((value) => JSON.stringify(value)).join(' | ');
  const options = shape.anyOf ?? shape.oneOf;
  if (options) return optionsText(options, indent);
  if (shape.type === 'array') return `[${shapeText(shape.items ?? {}, indent)}, …]`;
  if (shape.type === 'object') return objectText(shape, indent);
  return `${shape.type ?? 'any JSON'}${boundsText(shape)}`;
}

function optionsText(options: readonly ShapeSchema[], indent: string): string {
  const texts = options.map((option) => shapeText(option, `${indent}  `));
  const line = texts.join(' | ');
  return line.length <= MAX_LINE_LENGTH && !line.includes('\n')
    ? line
    : texts.map((text) => `\n${indent}| ${text}`).join('');
}

function objectText({ properties = {}, required = [], additionalProperties }: ShapeSchema, indent: string): string {
  const fields = Object.entries(properties).map(([name, field]) => ({
    text: `${name}${required.includes(name) ? '' : '?'}: ${shapeText(field, `${indent}  `)}${defaultText(field)}`,
    note: field.description,
  }));
  if (typeof additionalProperties === 'object') fields.push({ text: '…', note: undefined });
  const line = `{ ${fields.map(({ text }) => text).join(', ')} }`;
  if (fields.length === 0) return '{}';
  if (line.length <= MAX_LINE_LENGTH && !line.includes('\n') && fields.every(({ note }) => !note)) return line;
  return `{\n${fields.map(({ text, note }) => `${indent}  ${text}${note ? `  — ${note}` : ''}\n`).join('')}${indent}}`;
}

function boundsText({ minimum, maximum, maxLength }: ShapeSchema): string {
  const lowerBound = minimum === undefined || minimum <= -Number.MAX_SAFE_INTEGER ? undefined : minimum;
  const upperBound = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (lowerBound !== undefined && upperBound !== undefined) return ` ${lowerBound}–${upperBound}`;
  if (lowerBound !== undefined) return ` ≥ ${lowerBound}`;
  if (upperBound !== undefined) return ` ≤ ${upperBound}`;
  return maxLength === undefined ? '' : ` ≤ ${maxLength} characters`;
}

function defaultText(field: ShapeSchema): string {
  return field.default === undefined ? '' : ` = ${JSON.stringify(field.default)}`;
}
