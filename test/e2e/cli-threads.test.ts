import { expect, test, vi } from 'vitest';
import { newWorkspace } from '../support/program/heddle.ts';

// A test here starts the program many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

test('[T26] [T30] a task is given and answered in the terminal, and delivery can be asked for afterwards', async () => {
  const { ok, run } = newWorkspace();
  await ok('threads', 'new', 'Garden', '--invite', 'muse,scout');
  expect((await ok('task', 'Garden', 'List the beds.', '--to', 'scout')).out).toMatch(
    /Posted as #4 .*\n {2}wakes scout once it connects: human addressed scout\n {2}does not wake muse: a task wakes only the participants it names\n$/,
  );
  expect((await run(['task', 'Garden', 'For nobody'])).err).toContain('Name who it is for: --to ID or --role ROLE.');
  const { event } = (await ok('result', 'Garden', '4', 'Two', 'beds.', '--data', '{"beds":2}', '--json')).json;
  expect(event).toMatchObject({ type: 'result', content: { text: 'Two beds.', data: { beds: 2 } } });
  expect((await run(['result', 'Garden', '99', 'x'])).err).toBe('There is no event #99 in this thread.\n');

  const posted = (await ok('post', 'Garden', 'hello all', '--json')).json;
  for (const words of [
    [posted.event.id],
    [`/threads/${posted.event.thread}#${posted.event.id}`],
    ['6', '--in', 'Garden'],
  ])
    expect((await ok('delivery', ...words)).out).toBe(
      '#6 human: hello all\n  wakes muse once it connects: in a small thread, a human’s message wakes every agent\n  scout is next if muse stays silent\n',
    );
  // A number alone is the number of many events: the error has a command that works.
  const { code, err } = await run(['delivery', '6']);
  expect(code).toBe(2);
  expect(err).toBe('Every thread has its own numbers: add --in THREAD, such as: heddle delivery 6 --in "Garden"\n');
  expect((await run(['delivery', '99'])).err).toContain('add --in THREAD. "heddle threads" lists them.');
  expect((await ok('post', 'Garden', 'hello @nobodyhere')).out).toContain('Nobody here is called @nobodyhere.');
  expect((await run(['control', 'Garden', 'mute', 'scuot'])).err).toContain('Did you mean "scout"?');
});

test('[T18] [T27] the terminal says that a mute calls a prod off, and refuses a task for nobody', async () => {
  const { ok, run } = newWorkspace();
  await ok('threads', 'new', 'Garden', '--invite', 'muse');
  expect((await ok('control', 'Garden', 'prod', 'muse')).out).toBe('#3: human asked muse to reply\n');
  expect((await ok('control', 'Garden', 'mute', 'muse')).out).toBe(
    '#4: human muted muse\n#5: system reports: muse will not reply: cancelled because human muted it\n',
  );
  expect((await ok('control', 'Garden', 'prod', 'muse')).out).toBe(
    '#6: human asked muse to reply\n  does not wake muse: muse is muted\n',
  );
  expect((await run(['task', 'Garden', 'List the beds.', '--to', 'mues'])).err).toContain('Did you mean "muse"?');
});

test('[T27] an agent that is invited with a model alone is served by that model', async () => {
  const { ok } = newWorkspace();
  await ok('threads', 'new', 'Garden');
  await ok('invite', 'Garden', 'muse', '--model', 'small');
  expect((await ok('who', 'Garden', '--json')).out).toMatch(/"client":"model"/);
});

test('[T3] without a server, who lists participants and claims the presence of none', async () => {
  const { ok, serve } = newWorkspace();
  await ok('threads', 'new', 'Garden');
  await ok('invite', 'Garden', 'muse', '--model', 'small');
  const { out, err } = await ok('who', 'Garden');
  expect(out).toMatch(/^muse +invited/m);
  expect(out).not.toMatch(/listening|available|online|offline/);
  expect(err).toBe('No server is running, so nobody is online. Start one: heddle serve\n');
  expect((await ok('who', 'Garden', '--json')).json.presence).toEqual([]);
  await serve();
  expect((await ok('who', 'Garden')).out).toMatch(/^muse +invited +available /m);
});

test('[T30] drafts beside a thread are listed, posted, edited and dismissed in the terminal', async () => {
  const { ok, run } = newWorkspace();
  await ok('threads', 'new', 'Garden');
  await ok('invite', 'Garden', 'alpha', '--posting', 'draft', '--instructions', 'Be brief.');
  const { token } = (await ok('token', '--participant', 'alpha', '--json')).json;
  for (const text of ['One.', 'Two.', 'Three.'])
    expect((await run(['post', 'Garden', text], { env: { HEDDLE_TOKEN: token } })).code).toBe(0);
  expect((await ok('drafts', 'Garden')).out).toBe(
    '1 alpha · just now\n  One.\n2 alpha · just now\n  Two.\n3 alpha · just now\n  Three.\n',
  );
  expect((await ok('drafts', 'post', 'Garden', '1')).out).toMatch(/^Posted draft 1 of alpha as #\d+\.\n$/);
  await ok('drafts', 'edit', 'Garden', '2', 'Two,', 'edited.');
  expect((await ok('drafts', 'dismiss', 'Garden', '3')).out).toBe('Dismissed draft 3.\n');
  expect((await run(['drafts', 'post', 'Garden', '3'])).err).toContain('There is no open draft 3');
  expect((await ok('read', 'Garden')).out).toMatch(
    /posted draft 1[\s\S]*alpha · [\s\S]* {2}One\.\n[\s\S]*posted draft 2[\s\S]*Two, edited\.[\s\S]*dismissed draft 3/,
  );
  expect((await ok('drafts', 'list', 'Garden', '--json')).json.drafts).toEqual([]);
});

test('[T30] control alone shows every setting with a sentence and its default; by its name, one', async () => {
  const { ok } = newWorkspace();
  await ok('threads', 'new', 'Garden');
  const { settings } = (await ok('control', 'Garden', '--json')).json as { settings: Record<string, string>[] };
  expect(settings.map(({ name }) => name)).toEqual([
    ...['pause', 'done', 'mute', 'policy', 'invited_auto', 'discussion', 'ttl_seconds', 'budget', 'presence_log'],
  ]);
  for (const { sentence, default: usual } of settings) expect([sentence, usual]).not.toContain('');
  await ok('control', 'Garden', 'budget', 'tokens=500');
  expect((await ok('control', 'Garden', 'budget')).out).toMatch(
    /^budget {2}tokens=500\n {2}What models may use .*Default:\s+none\.\n$/s,
  );
});

test('[I3] what to type next begins with npx where npx started the program', async () => {
  const { ok, run } = newWorkspace();
  await ok('threads', 'new', 'Garden');
  const npx = { env: { npm_command: 'exec' } };
  expect((await run(['post', 'Gardn', 'x'], npx)).err).toContain('Did you mean "Garden"?');
  expect((await run(['post', 'Shed', 'x'], npx)).err).toContain('"npx heddle threads" lists them.');
  expect((await run(['post', 'Shed', 'x'])).err).toContain('"heddle threads" lists them.');
  expect((await run(['tail', '--help'], npx)).out).toContain('\n  npx heddle tail Garden -n 50\n');
  expect((await run(['tail', '--help'])).out).toContain('\n  heddle tail Garden -n 50\n');
  // What others wrote is shown as it is.
  await ok('post', 'Garden', 'Try heddle tail, or "mind run".');
  expect((await run(['read', 'Garden'], npx)).out).toContain('Try heddle tail, or "mind run".');
});
