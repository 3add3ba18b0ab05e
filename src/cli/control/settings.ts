import type { WireThreadState } from '../../client/index.ts';
import { formatDuration } from '../output/time.ts';

/** A thread setting with its current value, its default and its meaning (T30). */
export interface ThreadSetting {
  readonly name: string;
  readonly value: string;
  readonly default: string;
  readonly sentence: string;
}

type ThreadSettingsState = Pick<
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

export function threadSettingsOf(state: ThreadSettingsState): readonly ThreadSetting[] {
  const { policy, discussion, ttl_seconds } = state;
  const mutedNames = state.participants
    .filter((each) => each.muted)
    .map(({ id, muted: muteMode }) => `${id} (${muteMode})`);
  const budget = Object.entries(state.budget).map(([name, value]) => `${name}=${value}`);
  const limits = Object.entries({ hops: policy.hops, wakes: policy.wakes }).filter(([, value]) => value !== undefined);
  return [
    createSetting('pause', formatSwitch(state.paused), 'off', 'While on, only humans may write.'),
    createSetting('done', formatSwitch(state.done), 'off', "Closed for agents; a human's message opens it again."),
    createSetting(
      'mute',
      mutedNames.join(', ') || 'nobody',
      'nobody',
      'Muted participants can only read. With --soft they can write, but their messages are folded and wake nobody.',
    ),
    createSetting(
      'policy',
      [policy.mode, ...limits.map(([name, value]) => `${name}=${value}`)].join(' '),
      'auto hops=4 wakes=16',
      'Which agents a human’s message to all wakes: every agent (small), only those addressed (large), or small up to 3 agents (auto). For each human message, agents wake each other at most "hops" deep and "wakes" times.',
    ),
    createSetting(
      'invited_auto',
      formatSwitch(state.invited_auto),
      'off',
      'While on, a human’s message to all wakes every invited agent.',
    ),
    createSetting(
      'discussion',
      discussion.on === discussion.allow_agent_mentions
        ? formatSwitch(discussion.on)
        : `${formatSwitch(discussion.on)} allow_agent_mentions=${formatSwitch(discussion.allow_agent_mentions)}`,
      'off',
      'While on, agents wake each other by mentions.',
    ),
    createSetting(
      'ttl_seconds',
      ttl_seconds === 0 ? '0' : `${ttl_seconds} (${formatDuration(ttl_seconds)})`,
      '0',
      'How many seconds after a human’s last message agents may still wake each other; 0 means no limit.',
    ),
    createSetting(
      'budget',
      budget.join(' ') || 'none',
      'none',
      'What models may use in this thread: tokens, money, seconds, messages.',
    ),
    createSetting(
      'presence_log',
      formatSwitch(state.presence_log),
      'off',
      'While on, the start and end of thinking are recorded.',
    ),
  ];
}

function createSetting(name: string, value: string, defaultValue: string, sentence: string): ThreadSetting {
  return { name, value, default: defaultValue, sentence };
}

function formatSwitch(on: boolean): string {
  return on ? 'on' : 'off';
}
