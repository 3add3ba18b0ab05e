import { Download, ImageOff } from 'lucide-react';
import { useState } from 'react';
import type { Attachment } from '../../../src/client/index.ts';
import { cleanFileName, formatSize, isShownImage } from '../../../src/core/attachments/attachment.ts';
import { connection } from '../../data/connection.ts';
import { client } from '../../data/session.ts';
import { useStore } from '../../data/store.ts';
import { Glyph } from '../../ui/icon.tsx';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import styles from './attachment-list.module.css';
import { FileGlyph } from './file-glyph.tsx';

const MAX_WIDTH = 480;
const MAX_HEIGHT = 360;

/** The files of a text, below it: images as they are, other files to download. */
export function AttachmentList({ attachments }: { readonly attachments: readonly Attachment[] | undefined }) {
  if (!attachments || attachments.length === 0) return null;
  const images = attachments.filter(isShownImage);
  const files = attachments.filter((attachment) => !isShownImage(attachment));
  const label = attachments.length === 1 ? '1 file' : `${attachments.length} files`;
  return (
    <ul className={`${styles.list} ${images.length > 1 ? styles.several : ''}`} aria-label={label}>
      {images.map((image, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message's files never change
        <li key={index}>
          <AttachedImage image={image} />
        </li>
      ))}
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message's files never change
        <li key={index} className={styles.row}>
          <AttachedFile file={file} />
        </li>
      ))}
    </ul>
  );
}

/** Has its size before it is loaded, so nothing below it moves. */
function AttachedImage({ image }: { readonly image: Attachment }) {
  const isConnected = useStore(connection) === 'open';
  const [isLost, setLost] = useState(false);
  const { blob, width = MAX_WIDTH, height = MAX_HEIGHT } = image;
  const name = cleanFileName(image.name);
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
  if (isLost) {
    return (
      <p className={styles.lost}>
        <Glyph icon={ImageOff} />
        <bdi>{escapeBidi(name)}</bdi> {isConnected ? 'is not on this server.' : 'is not available offline.'}
      </p>
    );
  }
  return (
    <a
      className={styles.image}
      href={client.blobs.url(blob, name)}
      target="_blank"
      rel="noreferrer"
      aria-label={`Open ${name} in full size`}
    >
      <img
        src={client.blobs.url(blob)}
        alt={name}
        width={Math.max(1, Math.round(width * scale))}
        height={Math.max(1, Math.round(height * scale))}
        loading="lazy"
        decoding="async"
        onError={() => setLost(true)}
      />
    </a>
  );
}

function AttachedFile({ file }: { readonly file: Attachment }) {
  const name = cleanFileName(file.name);
  return (
    <a className={styles.file} href={client.blobs.url(file.blob, name)} download={name}>
      <FileGlyph name={name} type={file.type} />
      <bdi className={styles.name}>{escapeBidi(name)}</bdi>
      <span className={styles.size}>{formatSize(file.size)}</span>
      <span className={styles.download}>
        <Glyph icon={Download} />
        Download
      </span>
    </a>
  );
}
