import { useCallback, useState } from 'react';
import { describeError } from '../data/session.ts';
import { escapeBidi } from './text/escape-bidi.ts';

/** Runs an action and keeps its refusal, to be shown where the action was started until the next try. */
export function useAttempt() {
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);

  const attempt = useCallback(async <Result,>(work: () => Promise<Result>): Promise<Result | undefined> => {
    setBusy(true);
    setRefusal(undefined);
    try {
      return await work();
    } catch (error) {
      setRefusal(describeError(error));
      return undefined;
    } finally {
      setBusy(false);
    }
  }, []);

  return { attempt, busy, refusal };
}

/** Why an action failed, in the server's own sentence. */
export function RefusalMessage({ reason }: { readonly reason: string | undefined }) {
  if (!reason) return null;
  return (
    <p className="refused" role="alert" dir="auto">
      {escapeBidi(reason)}
    </p>
  );
}
