import { useEffect, useState } from 'react';

/** True once the ready content has been painted: the parts next to it are drawn afterwards. */
export function usePainted(isReady: boolean): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    if (!isReady) return;
    const timer = setTimeout(setPainted, 0, true);
    return () => clearTimeout(timer);
  }, [isReady]);
  return isPainted;
}
