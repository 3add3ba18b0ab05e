import { expect, test } from 'vitest';
import { oneLine } from '../src/cli/output/text.ts';
import { signalOf } from '../src/core/dialogue/turns/drafts.ts';
import type { Event } from '../src/core/events/event.ts';
import { asksForRestart } from '../src/core/exchange/rounds/restart-signs.ts';
import { parseLink } from '../src/core/link.ts';
import { parseQuery } from '../src/core/search/query.ts';
import { buildSnippet } from '../src/core/search/snippet.ts';
import { auditFactsOf } from '../src/core/threads/audit/audit.ts';
import { mentionsIn } from '../src/core/threads/participants/mentions.ts';
import { deliveriesFor } from '../src/core/threads/policy/routing.ts';
import { parseAnswer } from '../src/engine/agents/transcript.ts';
import { removeSecrets } from '../src/formats/loom/secrets.ts';
import { parseMindOutput } from '../src/formats/mind/output.ts';
import { asStory } from '../src/models/builtin/small/conversation.ts';
import { quote } from '../src/models/prompt/quote.ts';
import { parseProviderError } from '../src/models/remote/errors/provider-error.ts';
import { splitTokens } from '../src/models/scripted/tokens.ts';
import { resolveMention } from '../web/rooms/threads/composer/mentions.ts';
import { parseBlocks } from '../web/ui/text/blocks.ts';
import { firstLine } from '../web/ui/text/first-line.ts';
import { alpha, controls, created, given, human, says } from './support/domain/given.ts';
import { growthOf } from './support/growth.ts';

const SMALL = 4_096;
/** What stands before, what is repeated, what stands behind. */
const SHAPES = [
  ['x', ' ', 'x'],
  ['', '.', 'x'],
  ['', '\n', 'x'],
  ['@', '`', '@alpha'],
  ['', '@', 'x'],
  ['', '@alpha ', ''],
  ['', '~', '\u2028'],
  ['# ', ' ', 'x'],
  ['# x', ' #', 'x'],
  ['', '-eyJ', ''],
  ['', '.eyJaaaaaaaaaa', ''],
  ['', 'model ', ''],
  ['', '- ', 'x'],
  ['', '> ', 'x'],
  ['', '| ', 'x'],
  ['', '[', ''],
  ['', '*a', ''],
  ['draft: ', '"', ''],
  ['thoughts: [', '"a" ', ''],
  ['{', '[', ''],
] as const;

const thread = given(created, controls(human, { invite: { participant_id: 'alpha', profile: { kind: 'agent' } } }));
thread.when(...controls(human, { invite: { participant_id: 'beta', profile: { kind: 'agent' } } }));
const [said] = thread.when(...says(alpha, 'hello', { to: 'beta' })) as Event[];

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'who is woken by a message': (text) =>
    deliveriesFor(thread.state(), { ...(said as Event), id: 'another', content: text }),
  'who is mentioned': (text) => mentionsIn(thread.state(), text),
  'what an agent answered': (text) => parseAnswer(text),
  'a message in a prompt': (text) => quote(text, { from: 'alpha' }),
  'a message for the small model': (text) => asStory({ messages: [{ role: 'user', content: text }] } as never),
  'an audit': (text) => auditFactsOf(text, { seen: [], spec: '' } as never),
  'what a mind wrote': (text) => parseMindOutput(text),
  'the signal of a draft': (text) => signalOf(text, true),
  'a thought': asksForRestart,
  'an error of a provider': parseProviderError,
  'an imported text': removeSecrets,
  'words of a scripted model': splitTokens,
  'a hit of a search': (text) => buildSnippet(text, parseQuery('alpha')),
  'a link': parseLink,
  'a line in the terminal': oneLine,
  'a message on the page': (text) => parseBlocks(text),
  'the first line of it': (text) => firstLine(text),
  'a name made clear': (text) => resolveMention(text, 'alpha', 'beta'),
};

test.each(Object.keys(READERS))('[T23] %s takes time in proportion to its text', (name) => {
  const read = READERS[name] as (text: string) => unknown;
  const slow = SHAPES.filter(([head, pump, tail]) => {
    const run = (size: number) => {
      const text = head + pump.repeat(size / pump.length) + tail;
      return () => void read(text);
    };
    return growthOf(run, SMALL, 32) > 1.5;
  });
  expect(slow).toEqual([]);
});
