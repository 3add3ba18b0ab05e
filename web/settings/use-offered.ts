import { useCallback, useState } from 'react';
import type { RequestBody } from '../../src/protocol/routes.ts';
import { client, describeError } from '../data/session.ts';
import { withFieldLabels } from './model-fields.ts';

export interface OfferedState {
  readonly models: readonly string[];
  /** Why there is no list. */
  readonly problem?: string;
  readonly isAsking: boolean;
}

const NOTHING_OFFERED: OfferedState = { models: [], isAsking: false };
export type ModelServer = RequestBody<'POST /api/model-servers'>;

/** The models that a server lists, asked for by a person; the newest question counts. */
export function useOffered() {
  const [state, setState] = useState<OfferedState & { readonly of?: ModelServer }>(NOTHING_OFFERED);
  const ask = useCallback(async (server: ModelServer): Promise<void> => {
    setState({ models: [], isAsking: true, of: server });
    const answer = await client.models
      .askServer(server)
      .catch((error) => ({ models: [], problem: withFieldLabels(describeError(error)) }));
    setState((current) => (current.of === server ? { ...answer, isAsking: false } : current));
  }, []);
  const reset = useCallback(() => setState(NOTHING_OFFERED), []);
  return { offered: state as OfferedState, ask, reset };
}
