import { Image as ImageIcon } from 'lucide-react';
import { useState } from 'react';
import { client } from '../data/session.ts';
import { useActions } from '../shell/actions.ts';
import { Button } from '../ui/controls/button.tsx';
import { pickFiles } from '../ui/files.ts';
import { usePerson } from '../ui/people/people.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { squarePicture } from './square-picture.ts';

/** Adds, changes or removes one's own picture; what is chosen is saved at once. */
export function PictureButtons({ me }: { readonly me: string }) {
  const { picture } = usePerson(me);
  const { attempt, busy, refusal } = useAttempt();
  const [problem, setProblem] = useState<string>();

  async function choose(): Promise<void> {
    const [file] = await pickFiles({ accept: 'image/*', multiple: false });
    if (!file) return;
    const square = await squarePicture(file);
    setProblem(square ? undefined : `“${file.name}” is not a picture. Choose a PNG, JPEG, GIF, WebP or AVIF file.`);
    if (square) await attempt(() => savePicture(square));
  }

  function remove(): void {
    setProblem(undefined);
    void attempt(() => client.setProfile({ picture: null }));
  }

  const chooseLabel = picture ? 'Change the picture' : 'Add a picture';
  useActions('You', [
    { name: chooseLabel, act: () => void choose() },
    { name: 'Remove the picture', act: remove, when: picture !== undefined },
  ]);
  return (
    <>
      <Button kind="quiet" icon={ImageIcon} disabled={busy} onClick={() => void choose()}>
        {chooseLabel}
      </Button>
      {picture && (
        <Button kind="quiet" disabled={busy} onClick={remove}>
          Remove the picture
        </Button>
      )}
      <RefusalMessage reason={problem ?? refusal} />
    </>
  );
}

async function savePicture(square: Blob): Promise<unknown> {
  const { blob } = await client.blobs.upload(square);
  return client.setProfile({ picture: blob });
}
