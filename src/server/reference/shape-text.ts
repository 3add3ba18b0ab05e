interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly description?: string;
}

const SHORT = 70;

/** A JSON Schema as one would write the shape by hand; a name stands for a shape told elsewhere. */
export function shapeText(schema: object | boolean, indent = ''): string {
  if (typeof schema === 'boolean') return schema ? 'any JSON' : 'nothing';
  const shape = schema as Schema;
  if (shape.$ref) return shape.$ref.split('/').at(-1) as string;
  if ('const' in shape) return JSON.stringify(shape.const);
  if (shape.enum) return shape.enum.map((value) => JSON.stringify(value)).join(' | ');
  const options = shape.anyOf ?? shape.oneOf;
  if (options) return optionsText(options, indent);
  if (shape.type === 'array') return `[${shapeText(shape.items ?? {}, indent)}, …]`;
  if (shape.type === 'object') return objectText(shape, indent);
  return `${shape.type ?? 'any JSON'}${boundsText(shape)}`;
}

function optionsText(options: readonly Schema[], indent: string): string {
  const texts = options.map((option) => shapeText(option, `${indent}  `));
  const line = texts.join(' | ');
  return line.length <= SHORT && !line.includes('\n') ? line : texts.map((text) => `\n${indent}| ${text}`).join('');
}

function objectText({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const fields = Object.entries(properties).map(([name, field]) => ({
    text: `${name}${required.includes(name) ? '' : '?'}: ${shapeText(field, `${indent}  `)}${defaultText(field)}`,
    note: field.description,
  }));
  if (typeof additionalProperties === 'object') fields.push({ text: '…', note: undefined });
  const line = `{ ${fields.map(({ text }) => text).join(', ')} }`;
  if (fields.length === 0) return '{}';
  if (line.length <= SHORT && !line.includes('\n') && fields.every(({ note }) => !note)) return line;
  return `{\n${fields.map(({ text, note }) => `${indent}  ${text}${note ? `  — ${note}` : ''}\n`).join('')}${indent}}`;
}

function boundsText({ minimum, maximum, maxLength }: Schema): string {
  const least = minimum === undefined || minimum <= -Number.MAX_SAFE_INTEGER ? undefined : minimum;
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (least !== undefined && most !== undefined) return ` ${least}–${most}`;
  if (least !== undefined) return ` ≥ ${least}`;
  if (most !== undefined) return ` ≤ ${most}`;
  return maxLength === undefined ? '' : ` ≤ ${maxLength} characters`;
}

function defaultText(field: Schema): string {
  return field.default === undefined ? '' : ` = ${JSON.stringify(field.default)}`;
}
