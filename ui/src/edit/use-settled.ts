import { useEffect, useState } from 'react';

const restMs = 300;

/** The value once it has rested: what is costly to ask is not asked with every key. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (Object.is(value, settled)) return undefined;
    const timer = setTimeout(() => setSettled(() => value), restMs);
    return () => clearTimeout(timer);
  }, [value, settled]);
  return settled;
}
