import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from './controls/button.tsx';
import { runWithNotice } from './notice.tsx';

const SHOWN_MS = 2_000;

/** Copies a text and says so for a moment. */
export function CopyButton({ text, hasWord = false }: { readonly text: string; readonly hasWord?: boolean }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  const [icon, label, onClick] = [
    isCopied ? Check : Copy,
    isCopied ? 'Copied' : 'Copy',
    () => void runWithNotice(copy),
  ];
  if (!hasWord) return <IconButton icon={icon} label={label} onClick={onClick} />;
  return (
    <Button kind="quiet" icon={icon} onClick={onClick}>
      {label}
    </Button>
  );
}
