import type { WireEvent } from '../../../../src/client/index.ts';
import { authorLabelOf } from '../../../../src/core/events/event.ts';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { useIsNarrow } from '../../../ui/sheet.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import styles from './message.module.css';

/** Who wrote an event. The words of an import are not those of whoever has the id here. */
export function AuthorName({ event }: { readonly event: WireEvent }) {
  const label = authorLabelOf(event);
  return <b>{label === event.from ? <Name id={label} /> : <bdi>{escapeBidi(label)}</bdi>}</b>;
}

/** The face in front of a message. */
export function RowFace({ id }: { readonly id: string }) {
  const isNarrow = useIsNarrow();
  return (
    <span className={styles.face}>
      <Face id={id} size={isNarrow ? 'medium' : 'normal'} />
    </span>
  );
}
