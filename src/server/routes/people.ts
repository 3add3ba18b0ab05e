import { checkText } from '../../core/events/limits.ts';
import { isRefusal, type Refusal } from '../../core/refusal.ts';
import type { Persona } from '../../protocol/people.ts';
import type { RouteHandlers } from '../http/edge.ts';
import type { RouteContext } from './context.ts';

export function peopleHandlers({ engine }: RouteContext) {
  return {
    async 'GET /api/people'() {
      return JSON.stringify({ people: await engine.people() });
    },

    async 'POST /api/profile'({ body, session }) {
      const problem = checkStorable(body);
      if (problem) return problem;
      const profile = await engine.profiles.change(session.actor.id, body);
      return isRefusal(profile) ? profile : JSON.stringify({ profile });
    },

    async 'GET /api/personas'() {
      return JSON.stringify({ personas: await engine.personas.list() });
    },

    'POST /api/personas': async ({ body }) => checkStorable(body) ?? answerWith(await engine.personas.add(body)),

    'POST /api/personas/:persona': async ({ params, body }) =>
      checkStorable(body.set) ?? answerWith(await engine.personas.change(params.persona, body)),

    'DELETE /api/personas/:persona': async ({ params }) => answerWith(await engine.personas.remove(params.persona)),
  } satisfies Partial<RouteHandlers>;

  /** What is stored beside the log keeps to the same rules as an event (L15, L17). */
  function checkStorable(body: object): Refusal | undefined {
    return checkText(body as never) ?? engine.secrets.check(JSON.stringify(body));
  }
}

function answerWith(persona: Persona | Refusal): string | Refusal {
  return isRefusal(persona) ? persona : JSON.stringify({ persona });
}
