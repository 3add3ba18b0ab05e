import { useEffect, useState } from 'react';
import type { WireAccount } from '../../src/client/index.ts';
import { client, describeError } from '../data/session.ts';
import { type ExplainTarget, passageOffset } from './target.ts';

interface AccountState {
  readonly account?: WireAccount;
  readonly offset?: number | undefined;
  readonly problem?: string;
}

/** The last account stays until the next one has loaded. */
export function useAccount(target: ExplainTarget | undefined): AccountState {
  const [state, setState] = useState<AccountState>({});
  useEffect(() => {
    if (!target) return;
    let isCurrent = true;
    fetchAccount(target).then(
      (loaded) => isCurrent && setState(loaded),
      (error) => isCurrent && setState({ problem: describeError(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [target]);
  return state;
}

async function fetchAccount({ link, offset, passage }: ExplainTarget): Promise<AccountState> {
  const account = await client.explain(link, { ...(offset !== undefined && { offset }) });
  const passageStart = passage && passageOffset(account.text, passage);
  if (passageStart === undefined) return { account, offset };
  return { account: await client.explain(link, { offset: passageStart }), offset: passageStart };
}
