import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../src/log/seal.ts';
import { GIVEN, HUMAN } from '../house.ts';
import { LOOT, PROGRAMS } from '../programs.ts';
import type { Tactic } from '../tactic.ts';
import { waitForEvent } from '../waiting.ts';

/** Programs that the human runs as agents: they look for the human's token, write without end, and stay behind. */
export const programs: Tactic = {
  name: 'programs',
  rules: '[I10] [L17]',
  async run({ house, find }) {
    const human = await house.as(HUMAN);
    const invite = PROGRAMS.map((participant_id) => ({ participant_id, profile: GIVEN[participant_id] ?? {} }));
    const { thread } = await human.threads.create({ title: 'Workshop', invite });
    for (const name of PROGRAMS) {
      const closed = await waitForEvent(
        house,
        thread.id,
        ({ type, content }) => type === 'wake.closed' && (content as { participant?: string }).participant === name,
        40_000,
      );
      if (!closed) find(`the program "${name}" is never done`);
    }
    const said = await waitForEvent(
      house,
      thread.id,
      ({ type, from }) => type === 'message' && from === 'thief',
      1_000,
    );
    const text = String(said?.content ?? '');
    if (!text.startsWith(LOOT)) return;
    const token = sha256(readFileSync(join(house.path, 'token'), 'utf8').trim());
    const loot = Object.entries(JSON.parse(text.slice(LOOT.length)) as Record<string, string>);
    for (const [place, hash] of loot) {
      // Where programs cannot be shut in, only what lies beside them is out of their sight.
      if (hash === token && (canShutIn() || !place.startsWith('/')))
        find(`a started program reads the human’s token (${place.startsWith('/') ? 'by its path' : place})`, text);
      if (place.endsWith('heddle.db') && canShutIn()) find('a started program reads the database', text);
    }
  },
};

function canShutIn(): boolean {
  return (
    spawnSync('bwrap', ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid', 'true']).status ===
    0
  );
}
