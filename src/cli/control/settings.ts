import type { WireThreadState } from '../../client/index.ts';
import { duration } from '../output/time.ts';

/** A setting of a thread: what it is now, what it is unless somebody sets it, and what that means (T30). */
export interface Setting {
  readonly name: string;
  readonly value: string;
  readonly default: string;
  readonly sentence: string;
}

type View = Pick<
  WireThreadState,
  | 'paused'
  | 'done'
  | 'ttl_seconds'
  | 'discussion'
  | 'invited_auto'
  | 'policy'
  | 'presence_log'
  | 'budget'
  | 'participants'
>;

export function settingsOf(state: View): readonly Setting[] {
  const { policy, discussion, ttl_seconds } = state;
  const muted = state.participants.filter((each) => each.muted).map(({ id, muted: how }) => `${id} (${how})`);
  const budget = Object.entries(state.budget).map(([name, value]) => `${name}=${value}`);
  const limits = Object.entries({ hops: policy.hops, wakes: policy.wakes }).filter(([, value]) => value !== undefined);
  return [
    setting('pause', onOff(state.paused), 'off', 'While on, only humans may write.'),
    setting('done', onOff(state.done), 'off', "Closed for agents; a human's message opens it again."),
    setting(
      'mute',
      muted.join(', ') || 'nobody',
      'nobody',
      'Muted participants may read and nothing else; of softly muted ones, messages are folded and wake nobody.',
    ),
    setting(
      'policy',
      [policy.mode, ...limits.map(([name, value]) => `${name}=${value}`)].join(' '),
      'auto hops=4 wakes=16',
      'Whom a message of a human to all wakes: every agent (small), only those addressed (large), or small up to 3 agents (auto). Agents wake agents at most "hops" deep and "wakes" times for each human message.',
    ),
    setting('invited_auto', onOff(state.invited_auto), 'off', "A human's message to all wakes every invited agent."),
    setting(
      'discussion',
      discussion.on === discussion.allow_agent_mentions
        ? onOff(discussion.on)
        : `${onOff(discussion.on)} allow_agent_mentions=${onOff(discussion.allow_agent_mentions)}`,
      'off',
      'While on, agents wake each other by mentions.',
    ),
    setting(
      'ttl_seconds',
      ttl_seconds === 0 ? '0' : `${ttl_seconds} (${duration(ttl_seconds)})`,
      '0',
      'Agents wake each other for so long after the last message of a human; 0 means without a limit.',
    ),
    setting(
      'budget',
      budget.join(' ') || 'none',
      'none',
      'What models may use in this thread: tokens, money, seconds, messages.',
    ),
    setting('presence_log', onOff(state.presence_log), 'off', 'While on, the start and end of thinking are recorded.'),
  ];
}

function setting(name: string, value: string, usual: string, sentence: string): Setting {
  return { name, value, default: usual, sentence };
}

function onOff(on: boolean): string {
  return on ? 'on' : 'off';
}
