import type { Profile } from '../schema.ts';

interface PersonaFacts {
  readonly name: string;
  readonly instructions?: string;
  readonly model?: string;
}

/** What a persona says of an agent stands in the invitation, so that the thread keeps it (T38). */
export function personaProfile({ name, instructions, model }: PersonaFacts): Profile {
  return {
    kind: 'agent',
    nickname: name,
    ...(instructions !== undefined && { instructions }),
    ...(model !== undefined && { client: 'model', model }),
  };
}
