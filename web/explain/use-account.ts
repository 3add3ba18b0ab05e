import { useEffect, useState } from 'react';
import type { Explained } from '../../src/client/index.ts';
import { client, sentenceFor } from '../data/session.ts';
import { type Asked, offsetOf } from './target.ts';

interface Told {
  readonly account?: Explained;
  readonly offset?: number | undefined;
  readonly problem?: string;
}

/** The last account stays until the next one is there. */
export function useAccount(asked: Asked | undefined): Told {
  const [told, setTold] = useState<Told>({});
  useEffect(() => {
    if (!asked) return;
    let isWanted = true;
    find(asked).then(
      (found) => isWanted && setTold(found),
      (error) => isWanted && setTold({ problem: sentenceFor(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [asked]);
  return told;
}

async function find({ link, offset, passage }: Asked): Promise<Told> {
  const account = await client.explain(link, { ...(offset !== undefined && { offset }) });
  const at = passage && offsetOf(account.text, passage);
  if (at === undefined) return { account, offset };
  return { account: await client.explain(link, { offset: at }), offset: at };
}
