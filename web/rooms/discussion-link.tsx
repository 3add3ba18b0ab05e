import { linkToSaid } from '../../src/core/link.ts';
import { useStore } from '../data/store.ts';
import { rows } from '../data/workspace.ts';
import { useActions } from '../shell/actions.ts';
import { go } from '../shell/address.ts';
import { oneOf } from '../ui/kinds.ts';
import { numeral } from '../ui/numeral.ts';
import { visible } from '../ui/text/visible.ts';
import { Time } from '../ui/time.tsx';

const NAME = 'Talk beside it';

/** In the head of a room that shows other things: who said something beside them last. */
export function SaidBeside({ id }: { readonly id: string }) {
  const row = useStore(rows)?.get(id);
  useActions(`This ${oneOf(row?.kind ?? 'conversation')}`, [{ name: NAME, act: () => go(linkToSaid(id)) }]);
  const { said } = row ?? {};
  if (!said) return null;
  return (
    <p className="soft" dir="auto">
      <a href={linkToSaid(id, said.event)} data-in-page>
        {visible(said.by)} wrote beside it
      </a>{' '}
      <Time ts={said.ts} />
      {said.count > 1 && `, ${numeral(said.count)} messages in all`}
    </p>
  );
}

/** The way there, in a panel. */
export function ToSaidBeside({ id }: { readonly id: string }) {
  return (
    <a className="act" href={linkToSaid(id)} data-in-page title="People, agents and an auditor, about it">
      {NAME}
    </a>
  );
}
