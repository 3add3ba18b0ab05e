import { SquareTerminal } from 'lucide-react';
import { Glyph } from '../icon.tsx';
import styles from './avatar.module.css';
import { glyphOf, initialsOf } from './face.ts';
import { hueOf } from './hue.ts';

interface AvatarProps {
  /** The participant's id, which gives the hue. */
  readonly id: string;
  /** What is shown of people; the id if there is no name. */
  readonly name?: string | undefined;
  /** A circle with initials is a person, a tinted square a model, a solid square a command-line agent. */
  readonly kind: 'person' | 'model' | 'client';
  readonly size?: keyof typeof SIZES;
  /** The address of a picture, in place of initials. */
  readonly picture?: string | undefined;
  readonly online?: boolean;
}

const SIZES = { small: 20, medium: 24, normal: 32, large: 56 };

/** The face of a participant, the same in every room. The name beside it is what screen readers read. */
export function Avatar({ id, name = id, kind, size = 'normal', picture, online = false }: AvatarProps) {
  const glyph = kind === 'model' ? glyphOf(id) : SquareTerminal;
  return (
    <span className={`${styles.avatar} ${styles[kind]} ${styles[size]}`} data-hue={hueOf(id)} aria-hidden="true">
      {picture && <img src={picture} alt="" className={styles.picture} />}
      {!picture && kind === 'person' && initialsOf(name)}
      {!picture && kind !== 'person' && <Glyph icon={glyph} size={Math.round(SIZES[size] * 0.55)} />}
      {online && <span className={styles.online} />}
    </span>
  );
}
