import { RotateCcw, TriangleAlert, X } from 'lucide-react';
import { formatSize, isShownImage } from '../../../src/core/attachments/attachment.ts';
import { client } from '../../data/session.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { Glyph } from '../../ui/icon.tsx';
import { Progress } from '../../ui/status/progress.tsx';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { FileGlyph } from './file-glyph.tsx';
import styles from './file-tray.module.css';
import type { TrayFile } from './uploads.ts';

interface FileTrayProps {
  readonly files: readonly TrayFile[];
  readonly notice: string | undefined;
  onRemove(id: number): void;
  onRetry(id: number): void;
}

/** Files that go with the text, above it: how far each is, what is wrong with it, and a way to take it out. */
export function FileTray({ files, notice, onRemove, onRetry }: FileTrayProps) {
  if (files.length === 0 && notice === undefined) return null;
  return (
    <>
      {files.length > 0 && (
        <ul className={styles.tray} aria-label="Files to send">
          {files.map((file) => (
            <TrayItem key={file.id} file={file} onRemove={onRemove} onRetry={onRetry} />
          ))}
        </ul>
      )}
      {notice !== undefined && (
        <p className={styles.notice} role="status">
          {notice}
        </p>
      )}
    </>
  );
}

function TrayItem({
  file,
  onRemove,
  onRetry,
}: { readonly file: TrayFile } & Pick<FileTrayProps, 'onRemove' | 'onRetry'>) {
  const { id, name, size, progress, problem, canRetry, attachment } = file;
  const shownName = escapeBidi(name);
  return (
    <li className={`${styles.file} ${problem === undefined ? '' : styles.failed}`}>
      <Thumbnail file={file} />
      <div className={styles.facts}>
        <bdi className={styles.name} title={shownName}>
          {shownName}
        </bdi>
        {problem === undefined ? (
          <span className={styles.size}>{attachment ? formatSize(size) : `${Math.round((progress ?? 0) * 100)}%`}</span>
        ) : (
          <span className={styles.problem} role="alert">
            {escapeBidi(problem)}
          </span>
        )}
        {problem === undefined && !attachment && (
          <Progress label={`Uploading ${shownName}`} fraction={progress ?? null} />
        )}
      </div>
      {canRetry && <IconButton icon={RotateCcw} label={`Upload ${shownName} again`} onClick={() => onRetry(id)} />}
      <IconButton icon={X} label={`Remove ${shownName}`} onClick={() => onRemove(id)} />
    </li>
  );
}

function Thumbnail({ file: { name, problem, attachment } }: { readonly file: TrayFile }) {
  if (attachment && isShownImage(attachment))
    return <img className={styles.thumbnail} src={client.blobs.url(attachment.blob)} alt="" width={40} height={40} />;
  return (
    <span className={styles.thumbnail}>
      {problem === undefined ? <FileGlyph name={name} type={attachment?.type} /> : <Glyph icon={TriangleAlert} />}
    </span>
  );
}
