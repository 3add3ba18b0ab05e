import { File, FileArchive, FileText, Image } from 'lucide-react';
import { Glyph, type Icon } from '../../ui/icon.tsx';

/** An icon for a kind of file. */
export function FileGlyph({ name, type }: { readonly name: string; readonly type: string | undefined }) {
  return <Glyph icon={iconOf(name, type)} size={18} />;
}

function iconOf(name: string, type: string | undefined): Icon {
  if (type?.startsWith('image/') || /\.(png|jpe?g|gif|webp|avif)$/i.test(name)) return Image;
  if (type === 'application/zip') return FileArchive;
  return type === 'text/plain' || type === 'application/pdf' ? FileText : File;
}
