import { z } from 'zod';
import { type Endpoint, endpoints } from '../../protocol/routes.ts';
import * as threads from '../../protocol/threads.ts';
import * as wire from '../../protocol/wire.ts';
import { statusByCode } from '../http/errors.ts';

type JsonSchema = Record<string, unknown>;

/** Schemas with a name of their own; all others are inlined. */
const NAMED_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Event: wire.event,
  Thread: threads.threadRow,
  ThreadState: threads.threadState,
  Page: wire.eventPage,
  Posted: wire.postResult,
  Delivery: threads.delivery,
  Presence: threads.presence,
  Credential: wire.credential,
  Error: wire.errorBody,
  NewEvent: wire.newEvent,
  NewThread: wire.newThread,
};

export const SCHEMA_NAMES: readonly string[] = Object.keys(NAMED_SCHEMAS);

export function namedSchema(name: string): JsonSchema {
  return schemaOf(NAMED_SCHEMAS[name] as z.ZodType, name.startsWith('New') ? 'input' : 'output', name);
}

/** The table of routes as an OpenAPI 3.1 document (I4). */
export function buildOpenApi(version: string): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Heddle', version, description: 'One append-only log; threads are folds over it.' },
    security: [{ bearer: [] }, { session: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(SCHEMA_NAMES.map((name) => [name, namedSchema(name)])),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A participant\'s token: "heddle token" prints one.' },
        session: { type: 'apiKey', in: 'cookie', name: 'heddle_session', description: 'Set by a sign-in link.' },
      },
    },
  };
}

function operationOf(endpoint: Endpoint): JsonSchema {
  const { method, path, summary, access, status, body, upload, response } = endpoint;
  return {
    operationId: operationIdOf(method, path),
    summary,
    ...(access === 'open' && { security: [] }),
    ...(access === 'human' && { description: "Needs a human's credential." }),
    parameters: parametersOf(endpoint),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } },
    }),
    ...(upload && { requestBody: { required: true, content: { [upload]: { schema: { type: 'string' } } } } }),
    responses: {
      [status]: { description: 'Done.', content: contentOf(response) },
      default: {
        description: `Refused: ${[...new Set(Object.values(statusByCode))].sort().join(', ')}.`,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function parametersOf({ path, query, command, response }: Endpoint): JsonSchema[] {
  const stringSchema = { type: 'string' };
  const pathParameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: stringSchema,
  }));
  const querySchema = query
    ? (schemaOf(query, 'input') as { properties: JsonSchema; required?: string[] })
    : { properties: {} };
  const queryParameters = Object.entries(querySchema.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: querySchema.required?.includes(name) ?? false,
    schema,
  }));
  const idempotencyKey = {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      "The command's ID: a request sent again with the same ID and body returns the first answer and does nothing twice.",
    schema: { type: 'string', pattern: '^[!-~]{1,200}$' },
  };
  const lastEventId = {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'Continues after this cursor.',
    schema: stringSchema,
  };
  return [
    ...pathParameters,
    ...queryParameters,
    ...(command ? [idempotencyKey] : []),
    ...(response === 'text/event-stream' ? [lastEventId] : []),
  ];
}

function contentOf(response: Endpoint['response']): JsonSchema {
  if (response === 'application/jsonl') return { [response]: { schema: schemaOf(wire.workLine, 'output') } };
  if (typeof response === 'string')
    return { [response]: { schema: response === 'application/json' ? {} : { type: 'string' } } };
  return { 'application/json': { schema: schemaOf(response, 'output') } };
}

/** The JSON Schema of a schema, with references to the named ones. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output', ownName?: string): JsonSchema {
  const result = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Responses may gain fields later.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      const name = Object.keys(NAMED_SCHEMAS).find((each) => NAMED_SCHEMAS[each] === (zodSchema as unknown));
      if (!name || name === ownName) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as never];
      jsonSchema.$ref = `#/components/schemas/${name}`;
    },
  }) as JsonSchema;
  delete result.$schema;
  return result;
}

function operationIdOf(method: string, path: string): string {
  const words = path.split(/[^a-zA-Z]+/).filter((word) => word !== '' && word !== 'api');
  return [method.toLowerCase(), ...words]
    .map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}
