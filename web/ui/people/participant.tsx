import type { ComponentProps } from 'react';
import { escapeBidi } from '../text/escape-bidi.ts';
import { Avatar } from './avatar.tsx';
import { usePerson } from './people.ts';

type FaceProps = Pick<ComponentProps<typeof Avatar>, 'id' | 'size' | 'online'>;

/** The face of a participant, by id alone. */
export function Face({ id, ...look }: FaceProps) {
  const { face = id, ...person } = usePerson(id);
  return <Avatar id={face} {...person} {...look} />;
}

/** The name of a participant; hovering shows the id. */
export function Name({ id }: { readonly id: string }) {
  const { name } = usePerson(id);
  return (
    <bdi title={escapeBidi(id)} data-participant={escapeBidi(id)}>
      {escapeBidi(name)}
    </bdi>
  );
}
