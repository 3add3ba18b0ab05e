import { useCallback, useState } from 'react';
import { sentenceFor } from '../data/session.ts';
import { visible } from './text/visible.ts';

/** A wish and its answer: the refusal stands where the wish was made until the next try. */
export function useWish() {
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);

  const wish = useCallback(async <Result,>(work: () => Promise<Result>): Promise<Result | undefined> => {
    setBusy(true);
    setRefusal(undefined);
    try {
      return await work();
    } catch (error) {
      setRefusal(sentenceFor(error));
      return undefined;
    } finally {
      setBusy(false);
    }
  }, []);

  return { wish, busy, refusal };
}

/** Why something was not done, in the server's own sentence. */
export function Refused({ because }: { readonly because: string | undefined }) {
  if (!because) return null;
  return (
    <p className="refused" role="alert" dir="auto">
      {visible(because)}
    </p>
  );
}
