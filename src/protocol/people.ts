import { z } from 'zod';
import * as schema from '../core/threads/schema.ts';
import { faceKind } from '../core/threads/view/schema.ts';

/** A participant, as the whole workspace knows it (T37). */
const person = z.object({
  name: z.string(),
  kind: faceKind,
  model: z.string().exactOptional(),
  picture: z.string().exactOptional().describe('The hash of a blob.'),
});
export type WirePerson = z.infer<typeof person>;

const blob = z.string().regex(/^[0-9a-f]{64}$/, 'a picture is named by the hash of its blob');
const name = z.string().trim().min(1).max(64);

const profileChange = z
  .strictObject({ name: name.nullable(), picture: blob.nullable() })
  .partial()
  .describe('null removes a field.');
export type ProfileChange = z.infer<typeof profileChange>;
const ownProfile = z.object({ name: z.string().exactOptional(), picture: z.string().exactOptional() });

const persona = z.object({
  /** The id that it is invited under. */
  id: z.string(),
  name: z.string(),
  instructions: z.string().exactOptional(),
  model: z.string().exactOptional(),
});
/** An agent to invite anywhere (T38). */
export type Persona = z.infer<typeof persona>;
const instructions = schema.profile.shape.instructions.unwrap();
const model = z.string().min(1).max(128);
const newPersona = z.strictObject({
  id: schema.participantId.exactOptional().describe('Default: made from the name.'),
  name,
  instructions: instructions.exactOptional(),
  model: model.exactOptional(),
});
export type PersonaInput = z.infer<typeof newPersona>;
const personaChange = z.strictObject({
  set: z
    .strictObject({ name, instructions: instructions.nullable(), model: model.nullable() })
    .partial()
    .describe('null removes a field.'),
});
export type PersonaChange = z.infer<typeof personaChange>;

/** Routes about who is who: everybody, one's own name and picture, and personas. */
export const peopleRoutes = {
  'GET /api/people': {
    summary: 'Lists everybody who is in a thread or holds a credential, by ID: name, kind, model and picture.',
    access: 'participant',
    status: 200,
    response: z.object({ people: z.record(z.string(), person) }),
  },
  'POST /api/profile': {
    summary: 'Sets the name and the picture of the caller, for the whole workspace.',
    access: 'human',
    status: 200,
    body: profileChange,
    response: z.object({ profile: ownProfile }),
  },
  'GET /api/personas': {
    summary: 'Lists the personas: names, instructions and models to invite agents with.',
    access: 'participant',
    status: 200,
    response: z.object({ personas: z.array(persona).readonly() }),
  },
  'POST /api/personas': {
    summary: 'Adds a persona.',
    access: 'human',
    status: 201,
    body: newPersona,
    response: z.object({ persona }),
  },
  'POST /api/personas/:persona': {
    summary: 'Changes a persona. Agents already invited with it do not change.',
    access: 'human',
    status: 200,
    body: personaChange,
    response: z.object({ persona }),
  },
  'DELETE /api/personas/:persona': {
    summary: 'Removes a persona. Agents already invited with it stay.',
    access: 'human',
    status: 200,
    response: z.object({ persona }),
  },
} as const;
