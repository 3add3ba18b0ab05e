// `mind watch` on a real terminal: keys go in, what a person would see comes out.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { entryOf, newWorkspace, start } from '../support/program/heddle.ts';
import { hasTmux, terminal } from '../support/program/terminal.ts';

vi.setConfig({ testTimeout: 120_000 });

test.skipIf(!hasTmux)(
  '[C7] [D5] [D32] watch: the buffer grows live; steer, mark seen and accept go to the draft that is shown',
  async () => {
    const { path } = newWorkspace();
    const answers = [
      { text: 'thoughts: [beans]\ndraft: "Plant beans \\e[31min May."', when: 'iter: 1\n' },
      { text: 'thoughts: [poles]\ndraft: Plant beans in June.', when: 'iter: 2\n' },
      { text: 'thoughts: [good]\ndraft: +1', when: 'iter: 3\n' },
      { text: 'thoughts: [hm]\ndraft: Plant nothing.', when: 'iter: 5\n' },
      { text: 'thoughts: []' },
    ].map((answer) => ({ ...answer, repeat: 'always' }));
    writeFileSync(
      join(path, 'heddle.yaml'),
      'models:\n  script: {provider: scripted, path: mind.yaml}\ndefaults: {mind: script}\n',
    );
    writeFileSync(join(path, 'mind.yaml'), JSON.stringify({ answers }));
    const env = { HEDDLE_WORKSPACE: path, PATH: process.env.PATH ?? '', TERM: 'screen-256color' };
    const mind = async (...words: string[]) => {
      const ran = await start(words, { program: 'mind', env }).ended;
      if (ran.code !== 0) throw new Error(`mind ${words.join(' ')}:\n${ran.out}\n${ran.err}`);
      return ran;
    };
    await mind('init', 'Garden plans');
    await mind('message', 'Shall we plant beans?');

    const { screen, press, shows, ends } = terminal([process.execPath, entryOf('mind'), 'watch'], env);
    await shows(/No reply yet[\s\S]*> Shall we plant beans\?[\s\S]*No drafts yet/);
    await mind('run', '3');
    await shows(
      /publishable: #2[\s\S]*#3 {2}\+1[\s\S]*▌ #2 [\s\S]*▌ {5}Plant beans in June\.[\s\S]*#1 [\s\S]*beans \S\[31min/,
    );
    await mind('step');
    await shows(/needs you: #2[\s\S]*a accept #2 · s steer/);

    press('s');
    press('-l', 'Shorter, please.');
    await shows(/Steer .*: Shorter, please\./);
    press('Enter');
    await shows(/steered: Shorter, please\./);
    // What stood on the screen is seen, and the mind knows that somebody reads.
    await vi.waitFor(() => expect(screen()).not.toMatch(/#\d {2}new/), { timeout: 30_000, interval: 200 });
    expect((await mind('status', '--json')).json).toMatchObject({ engagement: 'engaged', turn: { unseen: 0 } });
    press('m');
    await shows(/Marked as seen/);

    press('Down');
    await shows(/▌ #1[\s\S]*a accept #1/);
    press('a');
    await shows(/Accept #1 as the answer\? y\/n/);
    // What comes meanwhile changes nothing of what is asked.
    await mind('step');
    await shows(/#4 [\s\S]*Plant nothing\.[\s\S]*Accept #1 as the answer\? y\/n/);
    press('y');
    await shows(/idle: [\s\S]*Turn 1 was answered with draft #1/);
    press('q');
    await ends();
    expect((await mind('status', '--json')).json.engagement).toBe('absent');
    expect((await mind('history', '--json')).json.turns).toMatchObject([{ accepted_draft_index: 1 }]);
  },
);
