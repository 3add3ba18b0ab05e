import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { adapterFor, type ClientSettings } from '../../agents/adapters.ts';
import type { Question } from '../../agents/agent.ts';
import { type Caps, type Ran, runProgram } from '../../agents/run.ts';
import type { EventLog } from '../../log/event-log.ts';
import { AGENT_SESSION } from '../../log/record-kinds.ts';
import type { Answered, Answerer, Asked } from './coordinator.ts';
import { outcomeOf, transcript } from './transcript.ts';

export interface CommandParts {
  readonly log: EventLog;
  /** The clients of the registry, by name. */
  clients(): Readonly<Record<string, ClientSettings>>;
  /** Each agent works in a directory of its own in here. */
  readonly directory: string;
  readonly caps?: Caps;
}

const CAPS: Caps = { seconds: 600, bytes: 1024 * 1024 };

/** Answers by running a command-line agent, which goes on from what it said before in the same thread (I10). */
export function createByCommand({ log, clients, directory, caps = CAPS }: CommandParts): Answerer {
  const settingsOf = (participant: string, { thread }: Asked['state']) =>
    clients()[thread.participants[participant]?.profile.client ?? ''];

  return {
    serves: (participant, state) => settingsOf(participant, state) !== undefined,

    async answer(asked) {
      const { participant, thread, state, signal } = asked;
      const settings = settingsOf(participant, state);
      if (!settings) return { outcome: 'failed', reason: `heddle.yaml no longer names a client for ${participant}.` };
      const key = `${thread}/${participant}`;
      const session = await log.record(AGENT_SESSION, key);
      const adapter = adapterFor(settings);
      const question: Question = {
        participant,
        thread,
        title: state.thread.title,
        prompt: await transcript(log, asked, session !== undefined),
        ...(session !== undefined && { session }),
      };
      const place = join(directory, participant);
      mkdirSync(place, { recursive: true });
      const { command, input } = adapter.command(question);
      const program = {
        command,
        input,
        directory: place,
        ...(adapter.environment && { environment: adapter.environment }),
      };
      let ran: Ran;
      try {
        ran = await runProgram(program, caps, signal);
      } catch (error) {
        return notStarted(command[0] ?? '', error);
      }
      if (ran.ended === 'cancelled') return { outcome: 'cancelled' };
      if (ran.ended === 'time')
        return { outcome: 'failed', reason: `It took longer than ${caps.seconds} seconds and was ended.` };
      const reply = adapter.read(ran.stdout, question);
      const usage = { client: settings.adapter, ...(ran.ended === 'output' && { cut: true }) };
      if ('failed' in reply) return { outcome: 'failed', reason: why(reply.failed, ran), usage };
      if (ran.code !== 0 && ran.ended === undefined) return { outcome: 'failed', reason: why('', ran), usage };
      if (reply.session !== undefined && reply.session !== session) {
        await log.putRecords([{ kind: AGENT_SESSION, key, value: reply.session }]);
      }
      const used = { ...usage, ...reply.usage, resumed: reply.resumed };
      return outcomeOf(reply.text, used);
    },
  };
}

function notStarted(name: string, error: unknown): Answered {
  const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  const reason = missing
    ? `The program "${name}" was not found. Install it, or correct its command in heddle.yaml.`
    : `The program "${name}" could not be started: ${(error as Error).message}.`;
  return { outcome: 'failed', reason };
}

function why(said: string, { code, stderr }: Ran): string {
  const ended = code === 0 ? '' : `It ended with ${code === null ? 'a signal' : `code ${code}`}.`;
  return [ended, said, stderr.trim().slice(-500)].filter(Boolean).join(' ');
}
