import { Check, MessagesSquare, RotateCcw, Upload, UserPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { AttachmentList } from '../rooms/attachments/attachment-list.tsx';
import { FileTray } from '../rooms/attachments/file-tray.tsx';
import { TextActions } from '../rooms/text-actions.tsx';
import { ComposerBox } from '../ui/composer-box.tsx';
import { Button } from '../ui/controls/button.tsx';
import { JumpToLatest, useFollowEnd } from '../ui/follow-end.tsx';
import { Avatar } from '../ui/people/avatar.tsx';
import { Face, Name } from '../ui/people/participant.tsx';
import { People as KnownPeople } from '../ui/people/people.ts';
import { Badge, Tag } from '../ui/status/badge.tsx';
import { Banner } from '../ui/status/banner.tsx';
import { Card } from '../ui/status/card.tsx';
import { EmptyState } from '../ui/status/empty-state.tsx';
import { LiveLine } from '../ui/status/live-line.tsx';
import { Progress } from '../ui/status/progress.tsx';
import { Markdown } from '../ui/text/markdown.tsx';
import { StreamingText } from '../ui/text/streaming-text.tsx';

const TYPE = [
  ['display', 'Should the garden charge for plots?'],
  ['title', 'May newsletter'],
  ['prose', 'The tomatoes do not know it is the summer holidays.'],
  ['message', 'I can take Sundays in June, not July.'],
  ['interface', 'Compare with draft 4'],
  ['label', '2 minutes ago'],
  ['code', 'styles/newsletter.css'],
] as const;

export function Type() {
  return TYPE.map(([name, sample]) => (
    <p key={name} className={`gallery-${name}`}>
      {sample}
    </p>
  ));
}

const COLOURS = ['paper', 'raised', 'sunken', 'ink', 'ink-soft', 'ink-faint', 'accent', 'good', 'warn', 'bad'];

export function Colours() {
  return (
    <ul className="gallery-colours">
      {[...COLOURS, ...Array.from({ length: 8 }, (_, index) => `hue-${index}`)].map((name) => (
        <li key={name}>
          <span style={{ background: `var(--${name})` }} />
          {name}
        </li>
      ))}
    </ul>
  );
}

const FACES = [
  { id: 'maya', name: 'Maya Okafor', kind: 'person' },
  { id: 'tomas', name: 'Tomás Reyes', kind: 'person' },
  { id: 'sage', name: 'Sage', kind: 'model' },
  { id: 'quill', name: 'Quill', kind: 'model' },
  { id: 'claude', name: 'Claude Code', kind: 'client' },
] as const;

export function People() {
  return (
    <>
      <div className="gallery-row">
        {FACES.map((face) => (
          <span key={face.id} className="gallery-row">
            <Avatar {...face} online={face.id === 'maya'} />
            {face.name}
          </span>
        ))}
      </div>
      <div className="gallery-row">
        {(['large', 'normal', 'medium', 'small'] as const).flatMap((size) =>
          FACES.slice(1, 5).map((face) => <Avatar key={`${size}-${face.id}`} {...face} size={size} />),
        )}
      </div>
    </>
  );
}

export function Statuses() {
  const [since] = useState(() => Date.now() - 8000);
  return (
    <div className="gallery-stack">
      <div className="gallery-row">
        <Badge count={4} label="4 need you" />
        <Badge count={120} label="120 need you" />
        <Tag tone="needs">Needs you</Tag>
        <Tag tone="good" icon={Check}>
          Ready
        </Tag>
        <Tag tone="warn">Slow</Tag>
        <Tag tone="bad">Failed</Tag>
        <Tag>Paused</Tag>
      </div>
      <div className="gallery-row">
        <LiveLine doing="Writing" since={since} hue={3} />
        <LiveLine doing="Reading 12 messages" since={since - 120_000} />
      </div>
      <Progress label="A download" fraction={0.17} />
      <Progress label="Almost at the limit" fraction={0.92} tone="warn" />
      <Progress label="Over the limit" fraction={1} tone="bad" />
      <Progress label="Getting ready" fraction={null} />
      <Banner tone="failure" action={<Button icon={RotateCcw}>Try again</Button>}>
        <b>Sage did not answer.</b> Anthropic is overloaded (529). Your message is saved.
      </Banner>
      <Banner tone="warning" action={<Button>Change limit</Button>}>
        $18.40 of $20.00 used in May. Models pause at the limit.
      </Banner>
      <Banner>You are offline. This is the last saved state; new messages send when you reconnect.</Banner>
    </div>
  );
}

const SAMPLE = `## Two things, **then** the rota

- the frost warning, because it is *only* useful this week
- [the map](https://example.org) of the plots

- [x] ask Tomás
- [ ] print \`newsletter.pdf\`

> Nobody waters in August.

| Week | Tap | Litres |
|:-----|:---:|-------:|
| 27   | Ana | 140    |
| 28   | –   | 95     |

It needs $v = \\frac{V}{t}$ litres a day:

$$\\sum_{i=1}^{n} v_i t_i \\le 900$$

\`\`\`css
.week {
  gap: 0.75rem; /* breathe */
}
\`\`\``;

export function Texts() {
  return (
    <div className="gallery-message">
      <Markdown text={SAMPLE} />
    </div>
  );
}

export function Cards() {
  return (
    <div className="gallery-stack">
      <Card>A plain card.</Card>
      <Card tone="selected">The selected card has the primary action.</Card>
      <Card tone="needs">A card that waits for you.</Card>
      <Card>
        <EmptyState
          icon={MessagesSquare}
          title="No messages yet"
          text="Write the first one, invite an agent to help, or import a conversation."
          actions={
            <>
              <Button kind="primary" icon={UserPlus}>
                Invite an agent
              </Button>
              <Button icon={Upload}>Import</Button>
            </>
          }
        />
      </Card>
    </div>
  );
}

/** A conversation in small: faces, a text being written, its buttons, and the box to write in. */
export function Writing() {
  const [text, setText] = useState('');
  const area = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAtEnd, toEnd } = useFollowEnd(area, content);
  return (
    <KnownPeople value={(id) => FACES.find((face) => face.id === id)}>
      <div ref={area} className="gallery-scroll" role="log" aria-label="Writing" tabIndex={-1}>
        <div ref={content}>
          {FACES.slice(0, 3).map(({ id }) => (
            <p key={id} className="gallery-row">
              <Face id={id} size="medium" />
              <Name id={id} />
              <TextActions link={`/threads/t1#${id}`} text="I can take Sundays in June." />
            </p>
          ))}
          <StreamingText text={'The frost warning goes first because it is only **useful** this'} hue={2} />
        </div>
        {!isAtEnd && <JumpToLatest onJump={toEnd} />}
      </div>
      <ComposerBox
        label="Write"
        field={{
          'aria-label': 'Your message',
          placeholder: 'Message May newsletter',
          value: text,
          onChange: (event) => setText(event.target.value),
        }}
        hint="Enter to send"
        sendLabel="Send"
        canSend={text !== ''}
        onSend={() => setText('')}
      />
    </KnownPeople>
  );
}

const TRAY = [
  { id: 1, name: 'beds.jpg', size: 2_400_000, progress: 0.4 },
  { id: 2, name: 'plan.pdf', size: 1_258_291, attachment: fileOf('plan.pdf', 'application/pdf', 1_258_291) },
  { id: 3, name: 'film.mov', size: 99_000_000, problem: 'Larger than 25 MB, the most that one file can have.' },
  {
    ...{ id: 4, name: 'notes.md', size: 4_000, canRetry: true },
    problem: 'Not uploaded: files need a connection to the server. Your text is kept.',
  },
];

/** Files on their way, and files that were attached; no server has these. */
export function Files() {
  return (
    <>
      <FileTray
        files={TRAY}
        notice="A message can have 20 files. 2 were left out."
        onRemove={() => {}}
        onRetry={() => {}}
      />
      <AttachmentList
        attachments={[
          fileOf('plan.pdf', 'application/pdf', 1_258_291),
          fileOf(
            'a name so long that it has to be cut somewhere before its size is shown.zip',
            'application/zip',
            9_000,
          ),
        ]}
      />
    </>
  );
}

function fileOf(name: string, type: string, size: number) {
  return { blob: '0'.repeat(64), name, type, size };
}
