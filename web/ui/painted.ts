import { useEffect, useState } from 'react';

/** True once something that is there has been on the screen: what stands beside it is drawn after it. */
export function usePainted(isThere: boolean): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    if (!isThere) return;
    const timer = setTimeout(setPainted, 0, true);
    return () => clearTimeout(timer);
  }, [isThere]);
  return isPainted;
}
