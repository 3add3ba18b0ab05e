import { useEffect, useState } from 'react';

/** True once something that is there has been on the screen: what stands beside it is drawn after it. */
export function usePainted(isReady: boolean): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    if (!isReady) return;
    const timer = setTimeout(setPainted, 0, true);
    return () => clearTimeout(timer);
  }, [isReady]);
  return isPainted;
}
